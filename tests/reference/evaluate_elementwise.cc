// Elementwise functions, one element at a time.

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "tests/reference/kinds.h"

namespace tilewise::reference {
namespace {

double Converted(double x, DType to) {
  if (to == DType::kPred) return x != 0 ? 1 : 0;
  return IsFloat(to) ? x : std::trunc(x);
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
    case OpKind::kAnd:
      return static_cast<double>(static_cast<int64_t>(x) &
                                 static_cast<int64_t>(y));
    case OpKind::kOr:
      return static_cast<double>(static_cast<int64_t>(x) |
                                 static_cast<int64_t>(y));
    default:
      TW_CHECK(false);
  }
}

}  // namespace

double Logistic(double x) { return 1 / (1 + std::exp(-x)); }

double ElementOf(const Op& op, DType operand_dtype,
                 const std::vector<double>& in) {
  switch (op.kind) {
    case OpKind::kConvert:
      return Converted(in[0], op.shape.dtype);
    case OpKind::kNot:
      if (operand_dtype == DType::kPred) return 1 - in[0];
      return static_cast<double>(~static_cast<int64_t>(in[0]));
    case OpKind::kCompare:
      return Compared(op.attrs.comparison, in[0], in[1]);
    case OpKind::kSelect:
      return in[0] != 0 ? in[1] : in[2];
    default:
      break;
  }
  return in.size() == 1 ? Unary(op.kind, in[0])
                        : Binary(op.kind, operand_dtype, in[0], in[1]);
}

}  // namespace tilewise::reference
