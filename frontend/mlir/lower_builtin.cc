// The dialects that stand beside StableHLO in exported modules: arith and math
// on tensors and scalars, tensor, shape, and the globals of util.

#include <iterator>
#include <utility>

#include "frontend/mlir/lowerers.h"
#include "frontend/mlir/opcode_names.h"

namespace tilewise::mlir {
namespace {

using hlo::HloShape;
using hlo::Instruction;
using hlo::Opcode;
using Dims = std::vector<int64_t>;

struct Name {
  std::string_view name;
  Opcode opcode;
};

constexpr Name kNames[] = {
    {"addf", Opcode::kAdd},
    {"addi", Opcode::kAdd},
    {"subf", Opcode::kSubtract},
    {"subi", Opcode::kSubtract},
    {"mulf", Opcode::kMultiply},
    {"muli", Opcode::kMultiply},
    {"divf", Opcode::kDivide},
    {"divsi", Opcode::kDivide},
    {"divui", Opcode::kDivide},
    {"floordivsi", Opcode::kDivide},
    {"ceildivsi", Opcode::kDivide},
    {"ceildivui", Opcode::kDivide},
    {"remf", Opcode::kRemainder},
    {"remsi", Opcode::kRemainder},
    {"remui", Opcode::kRemainder},
    {"maximumf", Opcode::kMaximum},
    {"maxnumf", Opcode::kMaximum},
    {"maxf", Opcode::kMaximum},
    {"maxsi", Opcode::kMaximum},
    {"maxui", Opcode::kMaximum},
    {"minimumf", Opcode::kMinimum},
    {"minnumf", Opcode::kMinimum},
    {"minf", Opcode::kMinimum},
    {"minsi", Opcode::kMinimum},
    {"minui", Opcode::kMinimum},
    {"andi", Opcode::kAnd},
    {"ori", Opcode::kOr},
    {"xori", Opcode::kXor},
    {"shli", Opcode::kShiftLeft},
    {"shrsi", Opcode::kShiftRightArithmetic},
    {"shrui", Opcode::kShiftRightLogical},
    {"negf", Opcode::kNegate},
    {"extf", Opcode::kConvert},
    {"truncf", Opcode::kConvert},
    {"extsi", Opcode::kConvert},
    {"extui", Opcode::kConvert},
    {"trunci", Opcode::kConvert},
    {"sitofp", Opcode::kConvert},
    {"uitofp", Opcode::kConvert},
    {"fptosi", Opcode::kConvert},
    {"fptoui", Opcode::kConvert},
    {"index_cast", Opcode::kConvert},
    {"index_castui", Opcode::kConvert},
    {"bitcast", Opcode::kBitcastConvert},
    {"absf", Opcode::kAbs},
    {"absi", Opcode::kAbs},
    {"exp", Opcode::kExponential},
    {"expm1", Opcode::kExponentialMinusOne},
    {"log", Opcode::kLog},
    {"log1p", Opcode::kLogPlusOne},
    {"tanh", Opcode::kTanh},
    {"sqrt", Opcode::kSqrt},
    {"rsqrt", Opcode::kRsqrt},
    {"cbrt", Opcode::kCbrt},
    {"sin", Opcode::kSine},
    {"cos", Opcode::kCosine},
    {"tan", Opcode::kTan},
    {"erf", Opcode::kErf},
    {"floor", Opcode::kFloor},
    {"ceil", Opcode::kCeil},
    {"round", Opcode::kRoundNearestAfz},
    {"roundeven", Opcode::kRoundNearestEven},
    {"powf", Opcode::kPower},
    {"fpowi", Opcode::kPower},
    {"ipowi", Opcode::kPower},
    {"atan2", Opcode::kAtan2},
    {"atan", Opcode::kAtan},
    {"acos", Opcode::kAcos},
    {"asin", Opcode::kAsin},
    {"sinh", Opcode::kSinh},
    {"cosh", Opcode::kCosh},
    {"asinh", Opcode::kAsinh},
    {"acosh", Opcode::kAcosh},
    {"atanh", Opcode::kAtanh},
    {"isfinite", Opcode::kIsFinite},
    {"ctlz", Opcode::kCountLeadingZeros},
    {"ctpop", Opcode::kPopcnt},
};

// olt, slt, ult; the number of the generic form counts them from 0.
Comparison Predicate(std::string_view word) {
  if (word.ends_with("ne")) return Comparison::kNe;
  if (word.ends_with("lt")) return Comparison::kLt;
  if (word.ends_with("le")) return Comparison::kLe;
  if (word.ends_with("gt")) return Comparison::kGt;
  if (word.ends_with("ge")) return Comparison::kGe;
  return Comparison::kEq;
}

Comparison NumberedPredicate(std::string_view operation, int64_t number) {
  constexpr Comparison kIntegers[] = {
      Comparison::kEq, Comparison::kNe, Comparison::kLt, Comparison::kLe, Comparison::kGt,
      Comparison::kGe, Comparison::kLt, Comparison::kLe, Comparison::kGt, Comparison::kGe};
  constexpr Comparison kFloats[] = {
      Comparison::kEq, Comparison::kEq, Comparison::kGt, Comparison::kGe, Comparison::kLt,
      Comparison::kLe, Comparison::kNe, Comparison::kEq, Comparison::kEq, Comparison::kGt,
      Comparison::kGe, Comparison::kLt, Comparison::kLe, Comparison::kNe};
  const size_t at = number;
  if (operation == "cmpi") {
    return number >= 0 && at < std::size(kIntegers) ? kIntegers[at] : Comparison::kEq;
  }
  return number >= 0 && at < std::size(kFloats) ? kFloats[at] : Comparison::kEq;
}

}  // namespace

absl::Status LowerArith(Body& body, const Operation& op) {
  Instruction instruction;
  instruction.opcode = Opcode::kUnknown;
  for (const Name& name : kNames) {
    if (name.name == NameOf(op.name)) instruction.opcode = name.opcode;
  }
  if (instruction.opcode == Opcode::kUnknown) return LowerUnknown(body, op);
  TW_ASSIGN_OR_RETURN(instruction.operands, body.Operands(op));
  return body.Finish(op, std::move(instruction));
}

// cmpi slt, %a, %b : t, whose type is that of the operands.
absl::Status LowerArithCompare(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(Instruction compare, body.OnOperands(op, Opcode::kCompare));
  if (compare.operands.size() != 2 || op.results != 1) {
    return body.lowering().Error(op, "expected 2 operands");
  }
  const Attribute* predicate = op.Find("predicate");
  compare.comparison = predicate != nullptr ? NumberedPredicate(NameOf(op.name), predicate->integer)
                                            : Predicate(op.words.empty() ? "eq" : op.words[0]);
  compare.shape = ArrayShape(DType::kPred, Dims(body.shape(compare.operands[0]).dims));
  return body.Alias(op, body.Add(op, std::move(compare)));
}

// extract, expand_shape, collapse_shape, cast: the same elements in another
// shape; extract from more than one element is a slice of a size of one.
absl::Status LowerTensorShape(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  const HloShape from = body.shape(x);
  if (NameOf(op.name) != "extract") {
    Instruction reshape;
    reshape.opcode = Opcode::kReshape;
    reshape.operands = {x};
    return body.Finish(op, std::move(reshape));
  }
  Index element = x;
  if (!from.dims.empty()) {
    Instruction slice;
    slice.opcode = Opcode::kSlice;
    slice.operands = {x};
    slice.Extras().slice->starts.assign(from.dims.size(), 0);
    slice.Extras().slice->limits.assign(from.dims.size(), 1);
    slice.Extras().slice->strides.assign(from.dims.size(), 1);
    slice.shape = ArrayShape(from.dtype, Dims(from.dims.size(), 1));
    element = body.Add(op, std::move(slice));
  }
  return body.Alias(op, body.Reshape(op, element, {}));
}

absl::Status LowerFromElements(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(std::vector<Index> elements, body.Operands(op));
  if (elements.empty()) return LowerUnknown(body, op);
  for (Index& element : elements) element = body.Reshape(op, element, {1});
  Instruction join;
  join.opcode = Opcode::kConcatenate;
  join.dims = {0};
  join.shape = ArrayShape(body.shape(elements[0]).dtype, {static_cast<int64_t>(elements.size())});
  join.operands = std::move(elements);
  Index vector = body.Add(op, std::move(join));
  if (body.sizes(vector) == nullptr || body.ResultShape(op).dims.size() != 1) {
    vector = body.Reshape(op, vector, body.ResultShape(op).dims);
  }
  return body.Alias(op, vector);
}

// dim %x, %i and shape_of %x: sizes.
absl::Status LowerTensorDim(Body& body, const Operation& op) {
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  const Dims dims = body.shape(x).dims;
  const HloShape scalar = ArrayShape(DType::kS64, {});
  std::vector<Index> sizes;
  SizeValues values;
  for (size_t i = 0; i < dims.size(); ++i) {
    sizes.push_back(body.Constant(op, static_cast<double>(dims[i] < 0 ? 1 : dims[i]), scalar));
    values.push_back(FromDim(dims[i]));
    if (body.lowering().has_open_sizes()) {
      body.SetSizes(sizes.back(), {values.back()});
    }
  }
  if (NameOf(op.name) == "dim") {
    TW_ASSIGN_OR_RETURN(const Index which, body.Operand(op, 1));
    const auto dim = ConstantsOf(body, which, 1);
    if (!dim) return LowerUnknown(body, op);
    TW_RETURN_IF_ERROR(CheckDims(body, op, *dim, dims.size()));
    return body.Alias(op, sizes[(*dim)[0]]);
  }
  if (sizes.empty()) return LowerUnknown(body, op);
  for (Index& size : sizes) size = body.Reshape(op, size, {1});
  Instruction join;
  join.opcode = Opcode::kConcatenate;
  join.dims = {0};
  join.shape = ArrayShape(DType::kS64, {static_cast<int64_t>(sizes.size())});
  join.operands = std::move(sizes);
  const Index vector = body.Add(op, std::move(join));
  if (body.lowering().has_open_sizes()) body.SetSizes(vector, values);
  return body.Alias(op, vector);
}

// A weight that is kept in the module: a constant of many values, named as the
// global is. Its address is nothing.
absl::Status LowerGlobal(Body& body, const Operation& op) {
  if (body.file().type(op.first_result).kind != Type::Kind::kTensor) {
    return LowerUnknown(body, op);
  }
  Instruction weight;
  weight.opcode = Opcode::kConstant;
  weight.Extras();
  std::string_view name = op.result_name;
  if (const Attribute* symbol = op.Find("symbol")) name = symbol->text;
  weight.name = name;
  weight.shape = body.ResultShape(op);
  return body.Alias(op, body.Add(op, std::move(weight)));
}

}  // namespace tilewise::mlir
