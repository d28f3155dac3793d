// Ops on values whose elements are all one constant. Results that are not
// finite are left to the device.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/lowering/simplify/simplifier.h"

namespace tilewise {
namespace {

std::optional<double> FoldUnary(OpKind kind, double x) {
  switch (kind) {
    case OpKind::kNegate:
      return -x;
    case OpKind::kAbs:
      return std::abs(x);
    case OpKind::kSign:
      return x > 0 ? 1 : (x < 0 ? -1 : 0);
    case OpKind::kExp:
      return std::exp(x);
    case OpKind::kLog:
      return std::log(x);
    case OpKind::kTanh:
      return std::tanh(x);
    case OpKind::kLogistic:
      return 1 / (1 + std::exp(-x));
    case OpKind::kSqrt:
      return std::sqrt(x);
    case OpKind::kRsqrt:
      return 1 / std::sqrt(x);
    case OpKind::kErf:
      return std::erf(x);
    case OpKind::kSine:
      return std::sin(x);
    case OpKind::kCosine:
      return std::cos(x);
    case OpKind::kFloor:
      return std::floor(x);
    case OpKind::kCeil:
      return std::ceil(x);
    case OpKind::kRoundNearestAfz:
      return std::round(x);
    case OpKind::kRoundNearestEven:
      return std::nearbyint(x);
    case OpKind::kLogPlusOne:
      return std::log1p(x);
    case OpKind::kExpMinusOne:
      return std::expm1(x);
    case OpKind::kTan:
      return std::tan(x);
    case OpKind::kCbrt:
      return std::cbrt(x);
    default:
      return std::nullopt;
  }
}

std::optional<double> FoldBinary(OpKind kind, double x, double y) {
  switch (kind) {
    case OpKind::kAdd:
      return x + y;
    case OpKind::kSubtract:
      return x - y;
    case OpKind::kMultiply:
      return x * y;
    case OpKind::kDivide:
      return x / y;
    case OpKind::kMaximum:
      return std::max(x, y);
    case OpKind::kMinimum:
      return std::min(x, y);
    case OpKind::kPower:
      return std::pow(x, y);
    case OpKind::kRemainder:
      return std::fmod(x, y);
    case OpKind::kAtan2:
      return std::atan2(x, y);
    default:
      return std::nullopt;
  }
}

bool Holds(Comparison comparison, double x, double y) {
  switch (comparison) {
    case Comparison::kEq:
      return x == y;
    case Comparison::kNe:
      return x != y;
    case Comparison::kLt:
      return x < y;
    case Comparison::kLe:
      return x <= y;
    case Comparison::kGt:
      return x > y;
    case Comparison::kGe:
      return x >= y;
  }
  return false;
}

double FoldConvert(DType to, double x) {
  if (to == DType::kPred) return x != 0 ? 1 : 0;
  return IsFloat(to) ? x : std::trunc(x);
}

// Integer arithmetic wraps and divides in its own way, so only floats fold.
std::optional<double> FoldElementwise(const Op& op,
                                      const std::vector<double>& in) {
  if (op.kind == OpKind::kConvert) return FoldConvert(op.shape.dtype, in[0]);
  if (op.kind == OpKind::kCompare) {
    return Holds(op.attrs->comparison, in[0], in[1]) ? 1 : 0;
  }
  if (op.kind == OpKind::kSelect) return in[0] != 0 ? in[1] : in[2];
  if (op.shape.dtype == DType::kPred) {
    if (op.kind == OpKind::kNot) return in[0] == 0 ? 1 : 0;
    if (op.kind == OpKind::kAnd) return in[0] != 0 && in[1] != 0 ? 1 : 0;
    if (op.kind == OpKind::kOr) return in[0] != 0 || in[1] != 0 ? 1 : 0;
    if (op.kind == OpKind::kXor) return (in[0] != 0) != (in[1] != 0) ? 1 : 0;
  }
  if (!IsFloat(op.shape.dtype)) return std::nullopt;
  return in.size() == 1 ? FoldUnary(op.kind, in[0])
                        : FoldBinary(op.kind, in[0], in[1]);
}

std::optional<double> FoldReduce(const Op& op, double x, double count) {
  switch (op.attrs->reducer) {
    case Reducer::kSum:
      return x * count;
    case Reducer::kMax:
    case Reducer::kMin:
      return x;
    case Reducer::kProduct:
      return std::pow(x, count);
    default:
      return std::nullopt;
  }
}

// What a loop carries starts as a constant, but does not stay one; other bits
// are another number.
std::optional<double> FoldMovement(const Op& op,
                                   const std::vector<double>& in) {
  const bool enters_loop = op.kind == OpKind::kBarrier && op.loop.id != 0;
  const bool reads_bits = op.kind == OpKind::kBitcastConvert && in[0] != 0;
  const bool is_equal = std::all_of(
      in.begin(), in.end(), [&](double value) { return value == in[0]; });
  if (enters_loop || reads_bits || !is_equal) return std::nullopt;
  return in[0];
}

// Moving equal elements about gives equal elements.
std::optional<double> FoldOp(const Simplifier& s, const Op& op,
                             const std::vector<double>& in) {
  switch (ClassOf(op.kind)) {
    case OpClass::kElementwise:
      return FoldElementwise(op, in);
    case OpClass::kData:
      return FoldMovement(op, in);
    case OpClass::kReduce: {
      const auto from = static_cast<double>(s.shape(op.operands[0]).elements());
      const auto to = static_cast<double>(op.shape.elements());
      if (!IsFloat(op.shape.dtype)) return std::nullopt;
      return FoldReduce(op, in[0], from / to);
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

OpId FoldConstants(Simplifier& s, const Op& op) {
  if (op.operands.empty()) return kNoOp;
  std::vector<double> in;
  for (const OpId operand : op.operands) {
    const std::optional<double> value = s.Splat(operand);
    if (!value) return kNoOp;
    in.push_back(*value);
  }
  const std::optional<double> folded = FoldOp(s, op, in);
  if (!folded || !std::isfinite(*folded)) return kNoOp;
  return s.Constant(op, *folded, op.shape);
}

}  // namespace tilewise
