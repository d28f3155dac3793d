// CHLO: operations that broadcast their operands by themselves, and functions
// that XLA writes out.

#include <array>
#include <cmath>
#include <utility>

#include "frontend/mlir/arithmetic.h"
#include "frontend/mlir/lowerers.h"
#include "frontend/mlir/opcode_names.h"

namespace tilewise::mlir {
namespace {

using hlo::HloShape;
using hlo::Instruction;
using hlo::Opcode;
using Dims = std::vector<int64_t>;

// Coefficients of the inverse error function, for small arguments and for
// those near 1 (Giles, "Approximating the erfinv function", single precision).
constexpr std::array<double, 9> kCentre = {
    2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
    -4.39150654e-06, 0.00021858087,  -0.00125372503,
    -0.00417768164,  0.246640727,    1.50140941};
constexpr std::array<double, 9> kTail = {
    -0.000200214257, 0.000100950558, 0.00134934322,
    -0.00367342844,  0.00573950773,  -0.0076224613,
    0.00943887047,   1.00167406,     2.83297682};

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

Index StretchTo(Body& body, const Operation& op, Index x, const Dims& to,
                const Dims& mapping) {
  const Dims from = body.shape(x).dims;
  Dims kept;
  Dims dims;
  for (size_t i = 0; i < from.size(); ++i) {
    const int64_t at = mapping.size() == from.size()
                           ? mapping[i]
                           : static_cast<int64_t>(to.size() - from.size() + i);
    if (at < 0 || at >= static_cast<int64_t>(to.size())) continue;
    if (from[i] == 1 && to[static_cast<size_t>(at)] != 1) continue;
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
    const std::string_view word = direction != nullptr
                                      ? LastWord(direction->text)
                                  : op.words.empty() ? std::string_view("EQ")
                                                     : op.words[0];
    instruction.comparison = DirectionOf(word);
  }
  if (instruction.opcode == Opcode::kUnknown) return LowerUnknown(body, op);
  body.Alias(op, body.Add(op, std::move(instruction)));
  return absl::OkStatus();
}

// A polynomial of w = -log(1 - x^2), by one of two sets of coefficients.
absl::Status LowerErfInv(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  Arithmetic a(body, op, HloShape(body.shape(x)));
  const Index square = a.Do(Opcode::kMultiply, x, a.Do(Opcode::kNegate, x));
  Index w = a.Do(Opcode::kNegate, a.Do(Opcode::kLogPlusOne, square));
  const Index centre = a.Compare(Comparison::kLt, w, a.Number(5));
  w = a.Select(centre, a.Do(Opcode::kSubtract, w, a.Number(2.5)),
               a.Do(Opcode::kSubtract, a.Do(Opcode::kSqrt, w), a.Number(3)));
  Index p = a.Select(centre, a.Number(kCentre[0]), a.Number(kTail[0]));
  for (size_t i = 1; i < kCentre.size(); ++i) {
    const Index c = a.Select(centre, a.Number(kCentre[i]), a.Number(kTail[i]));
    p = a.Do(Opcode::kAdd, c, a.Do(Opcode::kMultiply, p, w));
  }
  body.Alias(op, a.Do(Opcode::kMultiply, p, x));
  return absl::OkStatus();
}

absl::Status LowerErfc(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  Arithmetic a(body, op, HloShape(body.shape(x)));
  body.Alias(op, a.Do(Opcode::kSubtract, a.Number(1), a.Do(Opcode::kErf, x)));
  return absl::OkStatus();
}

absl::Status LowerSquare(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  Arithmetic a(body, op, HloShape(body.shape(x)));
  body.Alias(op, a.Do(Opcode::kMultiply, x, x));
  return absl::OkStatus();
}

absl::Status LowerIsInf(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(Index x, body.Operand(op, 0));
  Arithmetic a(body, op, HloShape(body.shape(x)));
  const bool negative = NameOf(op.name) == "is_neg_inf";
  if (NameOf(op.name) == "is_inf") x = a.Do(Opcode::kAbs, x);
  body.Alias(op, a.Compare(Comparison::kEq, x,
                           a.Number(negative ? -INFINITY : INFINITY)));
  return absl::OkStatus();
}

absl::Status LowerConstantLike(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  const Attribute* value = op.Find("value");
  body.Alias(op, body.Constant(op, value == nullptr ? 0 : value->number,
                               HloShape(body.shape(x))));
  return absl::OkStatus();
}

}  // namespace tilewise::mlir
