// The formulas are those of xla/client/lib/math, without its special cases for
// numbers near the ends of the range.

#include "library/elementary.h"

#include <limits>

#include "library/broadcast.h"

namespace tilewise {
namespace {

// sqrt(1 - x^2) as sqrt((1 - x)(1 + x)).
OpId Cathetus(GraphBuilder& builder, OpId x) {
  const OpId product = builder.Binary(
      OpKind::kMultiply, ScalarWith(builder, OpKind::kSubtract, 1, x),
      WithScalar(builder, OpKind::kAdd, x, 1));
  return builder.Unary(OpKind::kSqrt, product);
}

// (exp(x) op exp(-x)) / 2.
OpId HalfOfExponentials(GraphBuilder& builder, OpKind kind, OpId x) {
  const OpId up = builder.Unary(OpKind::kExp, x);
  const OpId down =
      builder.Unary(OpKind::kExp, builder.Unary(OpKind::kNegate, x));
  return WithScalar(builder, OpKind::kMultiply, builder.Binary(kind, up, down),
                    0.5);
}

}  // namespace

OpId Square(GraphBuilder& builder, OpId x) {
  return builder.Binary(OpKind::kMultiply, x, x);
}

OpId Reciprocal(GraphBuilder& builder, OpId x) {
  return ScalarWith(builder, OpKind::kDivide, 1, x);
}

OpId Sinh(GraphBuilder& builder, OpId x) {
  return HalfOfExponentials(builder, OpKind::kSubtract, x);
}

OpId Cosh(GraphBuilder& builder, OpId x) {
  return HalfOfExponentials(builder, OpKind::kAdd, x);
}

OpId Asin(GraphBuilder& builder, OpId x) {
  const OpId below = WithScalar(builder, OpKind::kAdd, Cathetus(builder, x), 1);
  return WithScalar(builder, OpKind::kMultiply,
                    builder.Binary(OpKind::kAtan2, x, below), 2);
}

OpId Acos(GraphBuilder& builder, OpId x) {
  const OpId below = WithScalar(builder, OpKind::kAdd, x, 1);
  const OpId angle =
      builder.Binary(OpKind::kAtan2, Cathetus(builder, x), below);
  return WithScalar(builder, OpKind::kMultiply, angle, 2);
}

OpId Atan(GraphBuilder& builder, OpId x) {
  return builder.Binary(OpKind::kAtan2, x, FilledLike(builder, x, 1));
}

OpId Asinh(GraphBuilder& builder, OpId x) {
  const OpId size = builder.Unary(OpKind::kAbs, x);
  const OpId square = Square(builder, x);
  OpId root = builder.Unary(OpKind::kSqrt,
                            WithScalar(builder, OpKind::kAdd, square, 1));
  root = WithScalar(builder, OpKind::kAdd, root, 1);
  const OpId sum = builder.Binary(
      OpKind::kAdd, size, builder.Binary(OpKind::kDivide, square, root));
  return builder.Binary(OpKind::kMultiply, builder.Unary(OpKind::kSign, x),
                        builder.Unary(OpKind::kLogPlusOne, sum));
}

OpId Acosh(GraphBuilder& builder, OpId x) {
  const OpId product =
      builder.Binary(OpKind::kMultiply, WithScalar(builder, OpKind::kAdd, x, 1),
                     WithScalar(builder, OpKind::kSubtract, x, 1));
  const OpId sum =
      builder.Binary(OpKind::kAdd, x, builder.Unary(OpKind::kSqrt, product));
  return builder.Unary(OpKind::kLog, sum);
}

OpId Atanh(GraphBuilder& builder, OpId x) {
  const OpId up = builder.Unary(OpKind::kLogPlusOne, x);
  const OpId down =
      builder.Unary(OpKind::kLogPlusOne, builder.Unary(OpKind::kNegate, x));
  return WithScalar(builder, OpKind::kMultiply,
                    builder.Binary(OpKind::kSubtract, up, down), 0.5);
}

OpId IsNan(GraphBuilder& builder, OpId x) {
  return builder.Compare(Comparison::kNe, x, x);
}

OpId IsInf(GraphBuilder& builder, OpId x) {
  return CompareScalar(builder, Comparison::kEq, builder.Unary(OpKind::kAbs, x),
                       std::numeric_limits<double>::infinity());
}

OpId FloorModulo(GraphBuilder& builder, OpId x, OpId y) {
  const OpId rest = builder.Binary(OpKind::kRemainder, x, y);
  const OpId zero = FilledLike(builder, x, 0);
  const OpId apart = builder.Compare(
      Comparison::kNe, builder.Compare(Comparison::kLt, rest, zero),
      builder.Compare(Comparison::kLt, y, zero));
  const OpId wrong = builder.Binary(
      OpKind::kAnd, apart, builder.Compare(Comparison::kNe, rest, zero));
  return builder.Select(wrong, builder.Binary(OpKind::kAdd, rest, y), rest);
}

OpId FloorDivide(GraphBuilder& builder, OpId x, OpId y) {
  const OpId quotient = builder.Binary(OpKind::kDivide, x, y);
  if (IsFloat(builder.shape(x).dtype)) {
    return builder.Unary(OpKind::kFloor, quotient);
  }
  const OpId rest = builder.Binary(OpKind::kRemainder, x, y);
  const OpId zero = FilledLike(builder, x, 0);
  const OpId apart = builder.Compare(Comparison::kNe,
                                     builder.Compare(Comparison::kLt, x, zero),
                                     builder.Compare(Comparison::kLt, y, zero));
  const OpId wrong = builder.Binary(
      OpKind::kAnd, apart, builder.Compare(Comparison::kNe, rest, zero));
  return builder.Select(
      wrong, WithScalar(builder, OpKind::kSubtract, quotient, 1), quotient);
}

}  // namespace tilewise
