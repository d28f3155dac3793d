// Operations that are one instruction on their operands, and those that are
// none.

#include <utility>

#include <fmt/format.h>

#include "frontend/mlir/dense.h"
#include "frontend/mlir/lowerers.h"
#include "frontend/mlir/opcode_names.h"

namespace tilewise::mlir {
namespace {

using hlo::HloShape;
using hlo::Instruction;
using hlo::Opcode;

}  // namespace

Comparison DirectionOf(std::string_view word) {
  if (word == "NE") return Comparison::kNe;
  if (word == "LT") return Comparison::kLt;
  if (word == "LE") return Comparison::kLe;
  if (word == "GT") return Comparison::kGt;
  if (word == "GE") return Comparison::kGe;
  return Comparison::kEq;
}

absl::Status LowerPlain(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(Instruction instruction, body.OnOperands(op, OpcodeOf(NameOf(op.name))));
  if (instruction.operands.empty() && op.results == 0) {
    return absl::OkStatus();
  }
  return body.Finish(op, std::move(instruction));
}

absl::Status LowerConstant(Body& body, const Operation& op) {
  Instruction constant;
  constant.opcode = Opcode::kConstant;
  const HloShape shape = body.ResultShape(op);
  if (const Attribute* value = op.FindAny({"value"})) {
    hlo::Literal& literal = *constant.literal;
    if (value->kind == Attribute::Kind::kDense) {
      literal = DenseLiteral(value->text, shape);
    } else if (value->kind == Attribute::Kind::kInteger || value->kind == Attribute::Kind::kFloat) {
      literal.splat = NumberValue(value->text, shape.dtype).value_or(value->number);
      if (shape.dims.empty()) literal.values = {*literal.splat};
    }
  }
  return body.Finish(op, std::move(constant));
}

absl::Status LowerIota(Body& body, const Operation& op) {
  Instruction iota;
  iota.opcode = Opcode::kIota;
  iota.index = IntegerOr(op, {"dim", "iota_dimension"}, 0);
  HloShape shape = body.ResultShape(op);
  TW_RETURN_IF_ERROR(CheckDims(body, op, {iota.index}, shape.dims.size()));
  if (!op.operands.empty()) {  // dynamic_iota: the operand has the dims
    TW_ASSIGN_OR_RETURN(const Index sizes, body.Operand(op, 0));
    TakeSizes(body, sizes, shape);
  }
  iota.shape = std::move(shape);
  return body.Alias(op, body.Add(op, std::move(iota)));
}

// compare LT, %a, %b, SIGNED; or comparison_direction in the generic form.
absl::Status LowerCompare(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(Instruction compare, body.OnOperands(op, Opcode::kCompare));
  if (const Attribute* direction = op.Find("comparison_direction")) {
    compare.comparison = DirectionOf(LastWord(direction->text));
  } else if (!op.words.empty()) {
    compare.comparison = DirectionOf(op.words[0]);
  }
  return body.Finish(op, std::move(compare));
}

// XLA's select has a predicate for each element.
absl::Status LowerSelect(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(Instruction select, body.OnOperands(op, Opcode::kSelect));
  if (select.operands.size() != 3) {
    return body.lowering().Error(op, "expected 3 operands");
  }
  if (body.shape(select.operands[0]).dims.empty()) {
    const HloShape to =
        ArrayShape(DType::kPred, std::vector<int64_t>(body.shape(select.operands[1]).dims));
    select.operands[0] = body.Broadcast(op, select.operands[0], to, {});
  }
  return body.Finish(op, std::move(select));
}

// Results are the operands, one by one.
absl::Status LowerIdentity(Body& body, const Operation& op) {
  for (int32_t i = 0; i < op.results; ++i) {
    TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, static_cast<size_t>(i)));
    body.Bind(op.first_result + i, x);
  }
  return absl::OkStatus();
}

absl::Status LowerNothing(Body& body, const Operation& op) {
  if (op.results > 0) return LowerUnknown(body, op);
  return absl::OkStatus();
}

absl::Status LowerTuple(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(std::vector<Index> elements, body.Operands(op));
  return body.Alias(op, body.TupleOf(op, std::move(elements)));
}

absl::Status LowerGetTupleElement(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(const Index tuple, body.Operand(op, 0));
  int64_t index = IntegerOr(op, {"index"}, 0);
  if (const Attribute* ranges = op.Find("ranges")) {
    const std::vector<int64_t> listed = BracketIntegers(ranges->text);
    index = listed.empty() ? -1 : listed[0];
  }
  const size_t count = body.shape(tuple).elements.size();
  if (index < 0 || static_cast<size_t>(index) >= count) {
    return body.lowering().Error(op,
                                 fmt::format("found element {}, expected one of {}", index, count));
  }
  return body.Alias(op, body.Element(op, tuple, index));
}

// A tuple goes in and out when there is more than one operand.
absl::Status LowerBarrier(Body& body, const Operation& op) {
  Instruction barrier;
  barrier.opcode = Opcode::kOptBarrier;
  TW_ASSIGN_OR_RETURN(std::vector<Index> operands, body.Operands(op));
  if (operands.size() == 1) {
    barrier.operands = std::move(operands);
  } else {
    barrier.operands = {body.TupleOf(op, std::move(operands))};
  }
  if (static_cast<size_t>(op.results) != op.operands.size()) {
    return body.lowering().Error(op, "expected as many results as operands");
  }
  if (op.results == 0) return absl::OkStatus();
  barrier.shape = body.shape(barrier.operands[0]);
  const bool tuple = op.results > 1;
  const Index made = body.Add(op, std::move(barrier));
  for (int32_t i = 0; i < op.results; ++i) {
    body.Bind(op.first_result + i, tuple ? body.Element(op, made, i) : made);
  }
  return absl::OkStatus();
}

// An operation of another dialect, or one that XLA has not: opaque, with the
// shape that the text states. Without results it only uses its operands up.
absl::Status LowerUnknown(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(const std::vector<Index> operands, body.Operands(op));
  if (op.results == 0) {
    for (Index operand : operands) {
      if (body.shape(operand).kind == HloShape::Kind::kArray) {
        body.used_up().push_back(operand);
      }
    }
    return absl::OkStatus();
  }
  Instruction unknown;
  unknown.opcode = Opcode::kCustomCall;
  for (int32_t i = 0; i < op.results; ++i) {
    const Type::Kind kind = body.file().type(op.first_result + i).kind;
    // A handle of another dialect: nothing that a graph holds.
    if (kind == Type::Kind::kOther) unknown.opcode = Opcode::kAfterAll;
  }
  if (unknown.opcode == Opcode::kCustomCall) {
    unknown.Extras().custom_call_target = op.name;
  }
  unknown.operands = operands;
  return body.Finish(op, std::move(unknown));
}

}  // namespace tilewise::mlir
