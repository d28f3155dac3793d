// Elementwise functions, one element at a time.

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/check.h"
#include "tests/reference/kinds.h"

namespace tilewise::reference {
namespace {

double Converted(double x, DType to) {
  if (to == DType::kPred) return x != 0 ? 1 : 0;
  return IsFloat(to) ? x : std::trunc(x);
}

// Numbers here are as wide as they need be, so floats have nothing to round.
// Integers: away from zero where the fraction is above that of the random bits.
double RoundedByBits(double x, double bits, DType from, DType to) {
  if (IsFloat(to)) return x;
  const double whole = std::floor(std::abs(x));
  const double threshold = std::ldexp(bits, -static_cast<int>(BitWidth(from)));
  const double size = whole + (std::abs(x) - whole > threshold ? 1 : 0);
  return x < 0 ? -size : size;
}

double Compared(Comparison comparison, double x, double y) {
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
  return 0;
}

double Sign(double x) { return x > 0 ? 1 : (x < 0 ? -1 : 0); }

double Unary(OpKind kind, double x) {
  switch (kind) {
    case OpKind::kNegate:
      return -x;
    case OpKind::kAbs:
      return std::abs(x);
    case OpKind::kSign:
      return Sign(x);
    case OpKind::kExp:
      return std::exp(x);
    case OpKind::kLog:
      return std::log(x);
    case OpKind::kTanh:
      return std::tanh(x);
    case OpKind::kLogistic:
      return Logistic(x);
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
    case OpKind::kRoundNearestEven:
      return std::nearbyint(x);
    case OpKind::kRoundNearestAfz:
      return std::round(x);
    case OpKind::kLogPlusOne:
      return std::log1p(x);
    case OpKind::kExpMinusOne:
      return std::expm1(x);
    case OpKind::kTan:
      return std::tan(x);
    case OpKind::kCbrt:
      return std::cbrt(x);
    case OpKind::kIsFinite:
      return std::isfinite(x) ? 1 : 0;
    case OpKind::kReal:  // all numbers here are real
      return x;
    case OpKind::kImag:
      return 0;
    default:
      TW_CHECK(false);
  }
}

// `bits` as the number of that type.
double FromBits(uint64_t bits, DType dtype) {
  const int64_t width = dtype == DType::kPred ? 1 : BitWidth(dtype);
  if (width < 64) bits &= (uint64_t{1} << width) - 1;
  const bool is_signed = dtype == DType::kS4 || dtype == DType::kS8 || dtype == DType::kS16 ||
                         dtype == DType::kS32 || dtype == DType::kS64;
  if (!is_signed) return static_cast<double>(bits);
  const auto unused = static_cast<int>(64 - width);
  return static_cast<double>(static_cast<int64_t>(bits << unused) >> unused);
}

uint64_t ToBits(double x, DType dtype) {
  const auto bits = static_cast<uint64_t>(static_cast<int64_t>(x));
  const int64_t width = BitWidth(dtype);
  return width < 64 ? bits & ((uint64_t{1} << width) - 1) : bits;
}

double Counted(OpKind kind, DType dtype, double x) {
  const uint64_t bits = ToBits(x, dtype);
  const auto width = static_cast<int>(BitWidth(dtype));
  return kind == OpKind::kPopcnt ? std::popcount(bits) : std::countl_zero(bits) - (64 - width);
}

double Shifted(OpKind kind, DType dtype, double x, double by) {
  const auto width = static_cast<double>(BitWidth(dtype));
  const bool all = by < 0 || by >= width;  // every bit is shifted out
  if (kind == OpKind::kShiftRightArithmetic) {
    return std::floor(std::ldexp(x, all ? -64 : -static_cast<int>(by)));
  }
  if (all) return 0;
  const uint64_t bits = ToBits(x, dtype);
  const auto places = static_cast<int>(by);
  return FromBits(kind == OpKind::kShiftLeft ? bits << places : bits >> places, dtype);
}

double OnBits(OpKind kind, DType dtype, double x, double y) {
  const auto a = static_cast<uint64_t>(static_cast<int64_t>(x));
  const auto b = static_cast<uint64_t>(static_cast<int64_t>(y));
  switch (kind) {
    case OpKind::kAnd:
      return FromBits(a & b, dtype);
    case OpKind::kOr:
      return FromBits(a | b, dtype);
    case OpKind::kXor:
      return FromBits(a ^ b, dtype);
    case OpKind::kShiftLeft:
    case OpKind::kShiftRightArithmetic:
    case OpKind::kShiftRightLogical:
      return Shifted(kind, dtype, x, y);
    default:
      TW_CHECK(false);
  }
}

double Binary(OpKind kind, DType dtype, double x, double y) {
  switch (kind) {
    case OpKind::kAdd:
      return x + y;
    case OpKind::kSubtract:
      return x - y;
    case OpKind::kMultiply:
      return x * y;
    case OpKind::kDivide:
      return IsFloat(dtype) ? x / y : std::trunc(x / y);
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
      return OnBits(kind, dtype, x, y);
  }
}

}  // namespace

double Logistic(double x) { return 1 / (1 + std::exp(-x)); }

double ElementOf(const Op& op, DType operand_dtype, const std::vector<double>& in) {
  switch (op.kind) {
    case OpKind::kConvert:
      return Converted(in[0], op.shape.dtype);
    case OpKind::kStochasticConvert:
      return RoundedByBits(in[0], in[1], operand_dtype, op.shape.dtype);
    case OpKind::kNot:
      if (operand_dtype == DType::kPred) return 1 - in[0];
      return static_cast<double>(~static_cast<int64_t>(in[0]));
    case OpKind::kPopcnt:
    case OpKind::kClz:
      return Counted(op.kind, operand_dtype, in[0]);
    case OpKind::kCompare:
      return Compared(op.as<CompareAttrs>().comparison, in[0], in[1]);
    case OpKind::kSelect:
      return in[0] != 0 ? in[1] : in[2];
    default:
      break;
  }
  return in.size() == 1 ? Unary(op.kind, in[0]) : Binary(op.kind, operand_dtype, in[0], in[1]);
}

}  // namespace tilewise::reference
