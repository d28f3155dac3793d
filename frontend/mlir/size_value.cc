// Instructions as operations on known tensors.

#include "frontend/mlir/size_value.h"

#include <cmath>
#include <utility>

namespace tilewise::mlir {
namespace {

using hlo::Opcode;

// Tensors of sizes are as long as a rank, or a few of them.
constexpr int64_t kMaxElements = 64;
constexpr double kMost = 281474976710656.0;  // 2^48

// Elements of a small static integer tensor; 0: it is none.
int64_t SmallCount(const hlo::HloShape& shape) {
  if (shape.kind != hlo::HloShape::Kind::kArray || IsFloat(shape.dtype) || IsComplex(shape.dtype)) {
    return 0;
  }
  int64_t count = 1;
  for (int64_t dim : shape.dims) {
    if (dim <= 0 || dim > kMaxElements) return 0;
    count *= dim;
    if (count > kMaxElements) return 0;
  }
  return count;
}

struct Arithmetic {
  Opcode opcode;
  KnownBinaryOp op;
};
constexpr Arithmetic kArithmetic[] = {
    {Opcode::kAdd, KnownBinaryOp::kAdd},
    {Opcode::kSubtract, KnownBinaryOp::kSubtract},
    {Opcode::kMultiply, KnownBinaryOp::kMultiply},
    {Opcode::kDivide, KnownBinaryOp::kDivide},
    {Opcode::kRemainder, KnownBinaryOp::kRemainder},
    {Opcode::kMaximum, KnownBinaryOp::kMaximum},
    {Opcode::kMinimum, KnownBinaryOp::kMinimum},
    {Opcode::kAnd, KnownBinaryOp::kAnd},
    {Opcode::kOr, KnownBinaryOp::kOr},
};

std::optional<KnownBinaryOp> BinaryOpOf(const hlo::Instruction& instruction) {
  if (instruction.opcode == Opcode::kCompare) {
    return KnownComparison(instruction.comparison);
  }
  for (const Arithmetic& row : kArithmetic) {
    if (row.opcode == instruction.opcode) return row.op;
  }
  return std::nullopt;
}

MaybeKnown ConstantOf(const hlo::Instruction& instruction, int64_t count) {
  const hlo::Literal& literal = instruction.literal;
  const bool listed = static_cast<int64_t>(literal.values.size()) == count;
  if (!listed && !literal.splat) return std::nullopt;
  KnownValue made{instruction.shape.dtype, instruction.shape.dims, {}};
  for (int64_t i = 0; i < count; ++i) {
    made.elements.push_back({listed ? literal.values[i] : *literal.splat, false});
  }
  return made;
}

// Slices a vector.
MaybeKnown SliceOf(const hlo::InstructionExtras& more, const KnownValue& x) {
  if (x.rank() != 1 || more.slice->starts.size() != 1 || more.slice->limits.size() != 1) {
    return std::nullopt;
  }
  const int64_t stride = more.slice->strides.empty() ? 1 : more.slice->strides[0];
  if (stride < 1 || more.slice->starts[0] < 0) return std::nullopt;
  return KnownSlice(x, 0, more.slice->starts[0], more.slice->limits[0], stride);
}

MaybeKnown ResultOf(const hlo::Instruction& instruction, const std::vector<KnownValue>& xs) {
  const hlo::HloShape& shape = instruction.shape;
  switch (instruction.opcode) {
    case Opcode::kConvert:
      return KnownCast(xs[0], shape.dtype);
    case Opcode::kReshape:
      return xs[0];
    case Opcode::kBroadcast:
      if (xs[0].size() != 1) return std::nullopt;
      return KnownFill(xs[0].elements[0], shape.dims, shape.dtype);
    case Opcode::kConcatenate:
      if (shape.dims.size() != 1) return std::nullopt;
      return KnownConcat(xs, 0);
    case Opcode::kSlice:
      return SliceOf(instruction.more(), xs[0]);
    case Opcode::kSelect:
      if (xs.size() != 3 || xs[0].size() != 1) return std::nullopt;
      return xs[0].elements[0].value != 0 ? xs[1] : xs[2];
    default:
      break;
  }
  const std::optional<KnownBinaryOp> op = BinaryOpOf(instruction);
  if (!op || xs.size() != 2) return std::nullopt;
  return KnownBinary(*op, xs[0], xs[1], BatchSize::kLarge);
}

std::optional<SizeValues> InRange(const MaybeKnown& known) {
  if (!known) return std::nullopt;
  for (const KnownNumber& element : known->elements) {
    if (!(std::abs(element.value) < kMost)) return std::nullopt;
  }
  return known->elements;
}

}  // namespace

std::optional<int64_t> AsDim(const KnownNumber& value) {
  if (value.value < 0 || std::trunc(value.value) != value.value) {
    return std::nullopt;
  }
  const auto size = static_cast<int64_t>(value.value);
  return value.per_batch ? -size : size;
}

KnownNumber FromDim(int64_t dim) { return {std::abs(static_cast<double>(dim)), dim < 0}; }

bool MayEvaluate(const hlo::Instruction& instruction) { return SmallCount(instruction.shape) > 0; }

std::optional<SizeValues> Evaluate(const hlo::Instruction& instruction,
                                   std::span<const SizeValues* const> operands,
                                   std::span<const hlo::HloShape* const> shapes) {
  const int64_t count = SmallCount(instruction.shape);
  if (count == 0) return std::nullopt;
  if (instruction.opcode == Opcode::kConstant) {
    return InRange(ConstantOf(instruction, count));
  }
  if (instruction.opcode == Opcode::kGetDimensionSize) {
    if (shapes.empty() || instruction.dims.size() != 1) return std::nullopt;
    const size_t dim = instruction.dims[0];
    if (dim >= shapes[0]->dims.size()) return std::nullopt;
    return InRange(KnownValue{instruction.shape.dtype, {}, {FromDim(shapes[0]->dims[dim])}});
  }
  if (operands.empty()) return std::nullopt;
  std::vector<KnownValue> xs;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] == nullptr || IsFloat(shapes[i]->dtype)) {
      return std::nullopt;
    }
    // What is carried around as a vector may be stated as an open shape.
    std::vector<int64_t> dims = shapes[i]->dims;
    const auto size = static_cast<int64_t>(operands[i]->size());
    if (dims.size() == 1) dims = {size};
    if (SmallCount({.dtype = shapes[i]->dtype, .dims = dims}) != size) {
      return std::nullopt;
    }
    xs.push_back({shapes[i]->dtype, std::move(dims), *operands[i]});
  }
  return InRange(ResultOf(instruction, xs));
}

}  // namespace tilewise::mlir
