// CHLO: operations that broadcast their operands by themselves, and functions
// that XLA writes out.

#include <string>
#include <utility>

#include "frontend/mlir/lowerers.h"
#include "frontend/mlir/opcode_names.h"

namespace tilewise::mlir {
namespace {

using hlo::HloShape;
using hlo::Instruction;
using hlo::Opcode;
using Dims = std::vector<int64_t>;

// The dims of operands that are stretched to one another.
Dims Stretched(const Body& body, const std::vector<Index>& operands) {
  Dims dims;
  for (Index operand : operands) {
    const Dims& mine = body.shape(operand).dims;
    if (mine.size() > dims.size()) {
      dims.insert(dims.begin(), mine.size() - dims.size(), 1);
    }
    for (size_t i = 0; i < mine.size(); ++i) {
      int64_t& dim = dims[dims.size() - mine.size() + i];
      if (dim == 1) dim = mine[i];
    }
  }
  return dims;
}

Index StretchTo(Body& body, const Operation& op, Index x, const Dims& to, const Dims& mapping) {
  const Dims from = body.shape(x).dims;
  Dims kept;
  Dims dims;
  for (size_t i = 0; i < from.size(); ++i) {
    const int64_t at = mapping.size() == from.size()
                           ? mapping[i]
                           : static_cast<int64_t>(to.size() - from.size() + i);
    if (at < 0 || at >= static_cast<int64_t>(to.size())) continue;
    if (from[i] == 1 && to[at] != 1) continue;
    kept.push_back(from[i]);
    dims.push_back(at);
  }
  if (from == to) return x;
  x = body.Reshape(op, x, kept);
  return body.Broadcast(op, x, ArrayShape(body.shape(x).dtype, to), dims);
}

}  // namespace

// broadcast_add %a, %b {broadcast_dimensions = [..]}: of the smaller operand.
absl::Status LowerImplicitBroadcast(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(std::vector<Index> operands, body.Operands(op));
  if (operands.empty() || op.results != 1) {
    return body.lowering().Error(op, "expected operands and one result");
  }
  const Dims mapping = IntegersOf(body, op, {"broadcast_dimensions"});
  const Dims dims = Stretched(body, operands);
  for (Index& operand : operands) {
    const bool smaller = body.shape(operand).dims.size() < dims.size();
    operand = StretchTo(body, op, operand, dims, smaller ? mapping : Dims());
  }
  constexpr std::string_view kPrefix = "broadcast_";
  const std::string_view name = NameOf(op.name).substr(kPrefix.size());
  Instruction instruction;
  instruction.opcode = OpcodeOf(name);
  instruction.operands = std::move(operands);
  instruction.shape = ArrayShape(body.ResultShape(op).dtype, dims);
  if (name == "compare") {
    const Attribute* direction = op.Find("comparison_direction");
    const std::string_view word = direction != nullptr ? LastWord(direction->text)
                                  : op.words.empty()   ? std::string_view("EQ")
                                                       : op.words[0];
    instruction.comparison = DirectionOf(word);
  }
  if (instruction.opcode == Opcode::kUnknown) return LowerUnknown(body, op);
  return body.Alias(op, body.Add(op, std::move(instruction)));
}

// Lowers to a custom call, which the reader of modules has from the op library.
absl::Status LowerFunction(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(Instruction call, body.OnOperands(op, Opcode::kCustomCall));
  hlo::InstructionExtras& extras = call.Extras();
  extras.custom_call_target = body.lowering().Keep("chlo." + std::string(NameOf(op.name)));
  if (const Attribute* config = op.FindAny({"config", "einsum_config"})) {
    extras.backend_config = config->text;
  }
  ReadPrecision(op, extras);
  if (op.Find("dim") != nullptr) call.dims = {IntegerOr(op, {"dim"}, 0)};
  call.index = IntegerOr(op, {"batch_dims"}, 0);
  return body.Finish(op, std::move(call));
}

absl::Status LowerConstantLike(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  const Attribute* value = op.Find("value");
  return body.Alias(
      op, body.Constant(op, value == nullptr ? 0 : value->number, HloShape(body.shape(x))));
}

}  // namespace tilewise::mlir
