// The formulas are those of xla/client/lib/math and of the expansion of CHLO,
// without their special cases for numbers near the ends of the range.

#include "library/elementary.h"

#include <iterator>
#include <limits>
#include <numbers>

#include "library/term.h"

namespace tilewise {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Term LogPlusOne(Term x) { return Unary(OpKind::kLogPlusOne, x); }

// Compilers evaluate the operands of a call in orders of their own: where both make ops, the first
// one has a name, so that the order of ops does not depend on the compiler.

// sqrt(1 - x^2) as sqrt((1 - x)(1 + x)).
Term Cathetus(Term x) {
  const Term sum = x + 1;
  return Sqrt((1 - x) * sum);
}

Term IsNegative(Term x) { return Compared(Comparison::kLt, x, 0); }
Term Differ(Term x, Term y) { return Compared(Comparison::kNe, x, y); }
Term And(Term x, Term y) { return Binary(OpKind::kAnd, x, y); }

bool IsComplexOp(const GraphBuilder& builder, OpId x) { return IsComplex(builder.shape(x).dtype); }

}  // namespace

OpId Square(GraphBuilder& builder, OpId x) { return Square(Term(builder, x)).id; }

OpId Reciprocal(GraphBuilder& builder, OpId x) { return (1 / Term(builder, x)).id; }

OpId Sinh(GraphBuilder& builder, OpId op) {
  const Term x(builder, op);
  const Term falling = Exp(-x);
  return ((Exp(x) - falling) * 0.5).id;
}

OpId Cosh(GraphBuilder& builder, OpId op) {
  const Term x(builder, op);
  const Term falling = Exp(-x);
  return ((Exp(x) + falling) * 0.5).id;
}

OpId Asin(GraphBuilder& builder, OpId op) {
  const Term x(builder, op);
  return (Binary(OpKind::kAtan2, x, Cathetus(x) + 1) * 2).id;
}

OpId Acos(GraphBuilder& builder, OpId op) {
  const Term x(builder, op);
  return (Binary(OpKind::kAtan2, Cathetus(x), x + 1) * 2).id;
}

OpId Atan(GraphBuilder& builder, OpId op) {
  const Term x(builder, op);
  return Binary(OpKind::kAtan2, x, x.Like(1)).id;
}

// sign(x) log1p(|x| + x^2 / (1 + sqrt(x^2 + 1))), which keeps small numbers.
OpId Asinh(GraphBuilder& builder, OpId op) {
  const Term x(builder, op);
  const Term square = Square(x);
  return (Sign(x) * LogPlusOne(Abs(x) + square / (Sqrt(square + 1) + 1))).id;
}

OpId Acosh(GraphBuilder& builder, OpId op) {
  const Term x(builder, op);
  return Log(x + Sqrt((x + 1) * (x - 1))).id;
}

OpId Atanh(GraphBuilder& builder, OpId op) {
  const Term x(builder, op);
  return ((LogPlusOne(x) - LogPlusOne(-x)) * 0.5).id;
}

OpId Erfc(GraphBuilder& builder, OpId x) { return (1 - Unary(OpKind::kErf, Term(builder, x))).id; }

// Giles, "Approximating the erfinv function" (2010), single precision: a
// polynomial of w = -log(1 - x^2) in the middle, one of sqrt(w) in the tails.
OpId Erfinv(GraphBuilder& builder, OpId op) {
  constexpr double kMiddle[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                -0.00417768164,  0.246640727,    1.50140941};
  constexpr double kTail[] = {-0.000200214257, 0.000100950558, 0.00134934322,
                              -0.00367342844,  0.00573950773,  -0.0076224613,
                              0.00943887047,   1.00167406,     2.83297682};
  const Term x(builder, op);
  const Term w = -LogPlusOne(-Square(x));
  const Term is_middle = Compared(Comparison::kLt, w, 5);
  const Term at = Where(is_middle, w - 2.5, Sqrt(w) - 3);
  Term sum = Where(is_middle, w.Like(kMiddle[0]), w.Like(kTail[0]));
  for (size_t i = 1; i < std::size(kMiddle); ++i) {
    sum = Where(is_middle, w.Like(kMiddle[i]), w.Like(kTail[i])) + sum * at;
  }
  return (sum * x).id;
}

OpId Ndtri(GraphBuilder& builder, OpId op) {
  const Term x(builder, op);
  return (x.Of(Erfinv(builder, (x * 2 - 1).id)) * std::numbers::sqrt2).id;
}

OpId IsNan(GraphBuilder& builder, OpId x) { return builder.Compare(Comparison::kNe, x, x); }

OpId IsInf(GraphBuilder& builder, OpId x) {
  return IsPosInf(builder, builder.Unary(OpKind::kAbs, x));
}

OpId IsPosInf(GraphBuilder& builder, OpId x) {
  return Compared(Comparison::kEq, {builder, x}, kInfinity).id;
}

OpId IsNegInf(GraphBuilder& builder, OpId x) {
  return Compared(Comparison::kEq, {builder, x}, -kInfinity).id;
}

OpId RealPart(GraphBuilder& builder, OpId x) {
  return IsComplexOp(builder, x) ? builder.Unary(OpKind::kReal, x) : x;
}

OpId ImaginaryPart(GraphBuilder& builder, OpId x) {
  if (IsComplexOp(builder, x)) return builder.Unary(OpKind::kImag, x);
  return Term(builder, x).Like(0).id;
}

OpId Conjugate(GraphBuilder& builder, OpId op) {
  if (!IsComplexOp(builder, op)) return op;
  const Term x(builder, op);
  return Binary(OpKind::kComplex, Unary(OpKind::kReal, x), -Unary(OpKind::kImag, x)).id;
}

OpId ComplexAbs(GraphBuilder& builder, OpId op) {
  const Term x(builder, op);
  return Sqrt(Square(Unary(OpKind::kReal, x)) + Square(Unary(OpKind::kImag, x))).id;
}

OpId Angle(GraphBuilder& builder, OpId op) {
  if (!IsComplexOp(builder, op)) return Atan(builder, op);
  const Term x(builder, op);
  return Binary(OpKind::kAtan2, Unary(OpKind::kImag, x), Unary(OpKind::kReal, x)).id;
}

OpId FloorModulo(GraphBuilder& builder, OpId x, OpId divisor) {
  const Term y(builder, divisor);
  const Term rest = Binary(OpKind::kRemainder, {builder, x}, y);
  const Term uneven = Differ(rest, rest.Like(0));
  const Term negative = IsNegative(y);
  const Term wrong = And(Differ(IsNegative(rest), negative), uneven);
  return Where(wrong, rest + y, rest).id;
}

OpId FloorDivide(GraphBuilder& builder, OpId op, OpId divisor) {
  const Term x(builder, op), y(builder, divisor);
  const Term quotient = x / y;
  if (IsFloat(quotient.shape().dtype)) {
    return Unary(OpKind::kFloor, quotient).id;
  }
  const Term uneven = Differ(quotient * y, x);
  const Term negative = IsNegative(y);
  const Term wrong = And(Differ(IsNegative(x), negative), uneven);
  return Where(wrong, quotient - 1, quotient).id;
}

OpId UpperProduct(GraphBuilder& builder, OpId x, OpId y) {
  const DType dtype = builder.shape(x).dtype;
  const bool is_signed = dtype == DType::kS32;
  const DType wide = is_signed ? DType::kS64 : DType::kU64;
  const Term product = Cast({builder, x}, wide) * Cast({builder, y}, wide);
  return Cast(Binary(is_signed ? OpKind::kShiftRightArithmetic : OpKind::kShiftRightLogical,
                     product, product.Like(32)),
              dtype)
      .id;
}

}  // namespace tilewise
