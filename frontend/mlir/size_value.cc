// See size_value.h. Where two sizes are compared, the batch counts as large.

#include "frontend/mlir/size_value.h"

#include <cmath>

namespace tilewise::mlir {
namespace {

using hlo::Opcode;

// Tensors of sizes are as long as a rank, or a few of them.
constexpr int64_t kMaxElements = 64;
constexpr int64_t kMost = int64_t{1} << 48;

// Elements of a small static integer tensor; 0: it is none.
int64_t SmallCount(const hlo::HloShape& shape) {
  if (shape.kind != hlo::HloShape::Kind::kArray || IsFloat(shape.dtype) ||
      IsComplex(shape.dtype)) {
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

bool InRange(const SizeValue& value) {
  return value.constant < kMost && value.constant > -kMost &&
         value.per_batch < kMost && value.per_batch > -kMost;
}

std::optional<SizeValue> Multiply(const SizeValue& a, const SizeValue& b) {
  if (a.per_batch != 0 && b.per_batch != 0) return std::nullopt;
  const SizeValue& scale = a.per_batch == 0 ? a : b;
  const SizeValue& other = a.per_batch == 0 ? b : a;
  const double size = std::abs(static_cast<double>(scale.constant)) *
                      (std::abs(static_cast<double>(other.constant)) +
                       std::abs(static_cast<double>(other.per_batch)));
  if (size >= static_cast<double>(kMost)) return std::nullopt;
  return SizeValue{scale.constant * other.constant,
                   scale.constant * other.per_batch};
}

std::optional<SizeValue> Divide(const SizeValue& a, const SizeValue& b) {
  if (b == SizeValue{}) return std::nullopt;
  if (b.per_batch != 0) {  // of one batch by another
    if (a.constant != 0 || b.constant != 0 || a.per_batch % b.per_batch != 0) {
      return std::nullopt;
    }
    return SizeValue{a.per_batch / b.per_batch, 0};
  }
  if (a.per_batch % b.constant != 0) return std::nullopt;
  return SizeValue{a.constant / b.constant, a.per_batch / b.constant};
}

// -1, 0, 1 for large batches.
int Compare(const SizeValue& a, const SizeValue& b) {
  const int64_t slope = a.per_batch - b.per_batch;
  const int64_t rest = slope != 0 ? slope : a.constant - b.constant;
  return rest < 0 ? -1 : rest > 0 ? 1 : 0;
}

std::optional<SizeValue> Combine(const hlo::Instruction& instruction,
                                 const SizeValue& a, const SizeValue& b) {
  switch (instruction.opcode) {
    case Opcode::kAdd:
      return SizeValue{a.constant + b.constant, a.per_batch + b.per_batch};
    case Opcode::kSubtract:
      return SizeValue{a.constant - b.constant, a.per_batch - b.per_batch};
    case Opcode::kMultiply:
      return Multiply(a, b);
    case Opcode::kDivide:
      return Divide(a, b);
    case Opcode::kRemainder:
      if (a.per_batch != 0 || b.per_batch != 0 || b.constant == 0) {
        return std::nullopt;
      }
      return SizeValue{a.constant % b.constant, 0};
    case Opcode::kMaximum:
      return Compare(a, b) >= 0 ? a : b;
    case Opcode::kMinimum:
      return Compare(a, b) <= 0 ? a : b;
    case Opcode::kAnd:
      if (instruction.shape.dtype != DType::kPred) return std::nullopt;
      return SizeValue{a.constant != 0 && b.constant != 0 ? 1 : 0, 0};
    case Opcode::kOr:
      if (instruction.shape.dtype != DType::kPred) return std::nullopt;
      return SizeValue{a.constant != 0 || b.constant != 0 ? 1 : 0, 0};
    default:
      break;
  }
  const int order = Compare(a, b);
  switch (instruction.comparison) {
    case Comparison::kEq:
      return SizeValue{order == 0 ? 1 : 0, 0};
    case Comparison::kNe:
      return SizeValue{order != 0 ? 1 : 0, 0};
    case Comparison::kLt:
      return SizeValue{order < 0 ? 1 : 0, 0};
    case Comparison::kLe:
      return SizeValue{order <= 0 ? 1 : 0, 0};
    case Comparison::kGt:
      return SizeValue{order > 0 ? 1 : 0, 0};
    default:
      return SizeValue{order >= 0 ? 1 : 0, 0};
  }
}

std::optional<SizeValues> EvaluateBinary(const hlo::Instruction& instruction,
                                         const SizeValues& a,
                                         const SizeValues& b) {
  if (a.size() != b.size()) return std::nullopt;
  if (IsFloat(instruction.shape.dtype)) return std::nullopt;
  SizeValues values;
  values.reserve(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    const std::optional<SizeValue> value = Combine(instruction, a[i], b[i]);
    if (!value || !InRange(*value)) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::optional<SizeValues> EvaluateConstant(const hlo::Instruction& instruction,
                                           int64_t count) {
  const hlo::Literal& literal = instruction.literal;
  if (static_cast<int64_t>(literal.values.size()) != count && !literal.splat) {
    return std::nullopt;
  }
  SizeValues values;
  values.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    const double number = literal.values.empty()
                              ? *literal.splat
                              : literal.values[static_cast<size_t>(i)];
    if (!(std::abs(number) < static_cast<double>(kMost))) return std::nullopt;
    values.push_back({static_cast<int64_t>(number), 0});
  }
  return values;
}

// Of a vector.
std::optional<SizeValues> EvaluateSlice(const hlo::InstructionExtras& more,
                                        const SizeValues& x) {
  if (more.slice->starts.size() != 1 || more.slice->limits.size() != 1)
    return std::nullopt;
  const int64_t stride =
      more.slice->strides.empty() ? 1 : more.slice->strides[0];
  if (stride < 1 || more.slice->starts[0] < 0) return std::nullopt;
  SizeValues values;
  for (int64_t i = more.slice->starts[0];
       i < more.slice->limits[0] && i < static_cast<int64_t>(x.size());
       i += stride) {
    values.push_back(x[static_cast<size_t>(i)]);
  }
  return values;
}

}  // namespace

std::optional<int64_t> AsDim(const SizeValue& value) {
  if (value.per_batch == 0) {
    if (value.constant < 0) return std::nullopt;
    return value.constant;
  }
  if (value.constant != 0 || value.per_batch < 0) return std::nullopt;
  return -value.per_batch;
}

SizeValue FromDim(int64_t dim) {
  return dim >= 0 ? SizeValue{dim, 0} : SizeValue{0, -dim};
}

bool MayEvaluate(const hlo::Instruction& instruction) {
  return SmallCount(instruction.shape) > 0;
}

std::optional<SizeValues> Evaluate(
    const hlo::Instruction& instruction,
    std::span<const SizeValues* const> operands,
    std::span<const hlo::HloShape* const> shapes) {
  const int64_t count = SmallCount(instruction.shape);
  if (count == 0) return std::nullopt;
  if (instruction.opcode == Opcode::kConstant) {
    return EvaluateConstant(instruction, count);
  }
  if (instruction.opcode == Opcode::kGetDimensionSize) {
    if (shapes.empty() || instruction.dims.size() != 1) return std::nullopt;
    const size_t dim = static_cast<size_t>(instruction.dims[0]);
    if (dim >= shapes[0]->dims.size()) return std::nullopt;
    if (shapes[0]->dims[dim] < -kMost) return std::nullopt;
    return SizeValues{FromDim(shapes[0]->dims[dim])};
  }
  if (operands.empty()) return std::nullopt;
  for (const SizeValues* operand : operands) {
    if (operand == nullptr) return std::nullopt;
  }
  const SizeValues& x = *operands[0];
  switch (instruction.opcode) {
    case Opcode::kConvert:
    case Opcode::kReshape:
      return x;
    case Opcode::kBroadcast:
      if (x.size() != 1) return std::nullopt;
      return SizeValues(static_cast<size_t>(count), x[0]);
    case Opcode::kConcatenate: {
      if (instruction.shape.dims.size() != 1) return std::nullopt;
      SizeValues all;
      for (const SizeValues* operand : operands) {
        all.insert(all.end(), operand->begin(), operand->end());
      }
      return all;
    }
    case Opcode::kSlice:
      if (shapes[0]->dims.size() != 1) return std::nullopt;
      return EvaluateSlice(instruction.more(), x);
    case Opcode::kSelect: {
      if (operands.size() != 3 || x.size() != 1) return std::nullopt;
      if (x[0].per_batch != 0) return std::nullopt;
      return x[0].constant != 0 ? *operands[1] : *operands[2];
    }
    case Opcode::kAdd:
    case Opcode::kSubtract:
    case Opcode::kMultiply:
    case Opcode::kDivide:
    case Opcode::kRemainder:
    case Opcode::kMaximum:
    case Opcode::kMinimum:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kCompare:
      if (operands.size() != 2) return std::nullopt;
      return EvaluateBinary(instruction, x, *operands[1]);
    default:
      return std::nullopt;
  }
}

}  // namespace tilewise::mlir
