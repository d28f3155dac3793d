// Functions of one operand, element by element, and their gradients. Those that
// XLA has no instruction for are written out as it expands them.

#include <iterator>
#include <numbers>

#include "frontend/tensor/elementary.h"
#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "frontend/tensorflow/ops/term.h"

namespace tilewise::tf {
namespace {

using OneTerm = Term (*)(Term x);

template <OneTerm kFormula>
absl::Status Formula(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  ctx.SetOp(0, kFormula({ctx.builder, x}).id);
  return absl::OkStatus();
}

template <OneTerm kFormula, KnownUnaryOp kFold>
absl::Status Folded(OpContext& ctx) {
  const KnownValue* known = ctx.Known(0);
  if (known != nullptr && ctx.SetIfKnown(0, KnownUnary(kFold, *known))) {
    return absl::OkStatus();
  }
  return Formula<kFormula>(ctx);
}

template <OpKind kKind>
Term Of(Term x) {
  return Unary(kKind, x);
}

template <OpKind kKind>
absl::Status PlainUnary(OpContext& ctx) {
  return Formula<Of<kKind>>(ctx);
}

// A function that the formats share, as one of terms.
using Shared = OpId (*)(GraphBuilder& builder, OpId x);
template <Shared kFunction>
Term As(Term x) {
  return x.Of(kFunction(x.b(), x.id));
}

Term Negated(Term x) { return -x; }
Term Erfc(Term x) { return 1.0 - Of<OpKind::kErf>(x); }

// Giles, "Approximating the erfinv function" (2010), single precision: a
// polynomial of w = -log(1 - x^2) in the middle, one of sqrt(w) in the tails.
Term Erfinv(Term x) {
  constexpr double kMiddle[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                -0.00417768164,  0.246640727,    1.50140941};
  constexpr double kTail[] = {-0.000200214257, 0.000100950558, 0.00134934322,
                              -0.00367342844,  0.00573950773,  -0.0076224613,
                              0.00943887047,   1.00167406,     2.83297682};
  const Term w = -Of<OpKind::kLogPlusOne>(-Square(x));
  const Term is_middle = Compared(Comparison::kLt, w, 5);
  const Term at = Where(is_middle, w - 2.5, Sqrt(w) - 3);
  Term sum = Where(is_middle, w.Like(kMiddle[0]), w.Like(kTail[0]));
  for (size_t i = 1; i < std::size(kMiddle); ++i) {
    sum = Where(is_middle, w.Like(kMiddle[i]), w.Like(kTail[i])) + sum * at;
  }
  return sum * x;
}

// The inverse of the normal distribution's cumulative function.
Term Ndtri(Term x) { return Erfinv(x * 2 - 1) * std::numbers::sqrt2; }

Term Conjugate(Term x) {
  if (!IsComplex(x.shape().dtype)) return x;
  return Binary(OpKind::kComplex, Of<OpKind::kReal>(x), -Of<OpKind::kImag>(x));
}
Term ComplexAbs(Term x) {
  return Sqrt(Square(Of<OpKind::kReal>(x)) + Square(Of<OpKind::kImag>(x)));
}
Term Angle(Term x) {
  if (!IsComplex(x.shape().dtype)) return As<tilewise::Atan>(x);
  return Binary(OpKind::kAtan2, Of<OpKind::kImag>(x), Of<OpKind::kReal>(x));
}
Term RealPart(Term x) {
  return IsComplex(x.shape().dtype) ? Of<OpKind::kReal>(x) : x;
}
Term ImagPart(Term x) {
  return IsComplex(x.shape().dtype) ? Of<OpKind::kImag>(x) : x.Like(0);
}

// Gradients that TensorFlow has as ops, of the result y and its gradient.
using TwoTerms = Term (*)(Term y, Term dy);

template <TwoTerms kFormula>
absl::Status GradientOfResult(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId y, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId dy, Tensor(ctx, 1));
  ctx.SetOp(0, kFormula({ctx.builder, y}, {ctx.builder, dy}).id);
  return absl::OkStatus();
}

Term TanhGrad(Term y, Term dy) { return dy * (1.0 - Square(y)); }
Term SigmoidGrad(Term y, Term dy) { return dy * y * (1.0 - y); }
Term SqrtGrad(Term y, Term dy) { return dy * 0.5 / y; }
Term RsqrtGrad(Term y, Term dy) { return dy * -0.5 * (y * y * y); }
Term ReciprocalGrad(Term y, Term dy) { return -dy * y * y; }

constexpr OpEntry kUnaryOps[] = {
    {"Abs", Folded<Abs, KnownUnaryOp::kAbs>},
    {"Acos", Formula<As<tilewise::Acos>>},
    {"Acosh", Formula<As<tilewise::Acosh>>},
    {"Angle", Formula<Angle>},
    {"Asin", Formula<As<tilewise::Asin>>},
    {"Asinh", Formula<As<tilewise::Asinh>>},
    {"Atan", Formula<As<tilewise::Atan>>},
    {"Atanh", Formula<As<tilewise::Atanh>>},
    {"Ceil", Folded<Of<OpKind::kCeil>, KnownUnaryOp::kCeil>},
    {"ComplexAbs", Formula<ComplexAbs>},
    {"Conj", Formula<Conjugate>},
    {"Cos", PlainUnary<OpKind::kCosine>},
    {"Cosh", Formula<As<tilewise::Cosh>>},
    {"Erf", PlainUnary<OpKind::kErf>},
    {"Erfc", Formula<Erfc>},
    {"Erfinv", Formula<Erfinv>},
    {"Exp", Folded<Exp, KnownUnaryOp::kExp>},
    {"Expm1", PlainUnary<OpKind::kExpMinusOne>},
    {"Floor", Folded<Of<OpKind::kFloor>, KnownUnaryOp::kFloor>},
    {"Imag", Formula<ImagPart>},
    {"Inv", Folded<As<tilewise::Reciprocal>, KnownUnaryOp::kReciprocal>},
    {"InvGrad", GradientOfResult<ReciprocalGrad>},
    {"Invert", PlainUnary<OpKind::kNot>},
    {"IsFinite", PlainUnary<OpKind::kIsFinite>},
    {"IsInf", Formula<As<tilewise::IsInf>>},
    {"IsNan", Formula<As<tilewise::IsNan>>},
    {"Log", Folded<Log, KnownUnaryOp::kLog>},
    {"Log1p", PlainUnary<OpKind::kLogPlusOne>},
    {"Ndtri", Formula<Ndtri>},
    {"Neg", Folded<Negated, KnownUnaryOp::kNegate>},
    {"PopulationCount", PlainUnary<OpKind::kPopcnt>},
    {"Real", Formula<RealPart>},
    {"Reciprocal", Folded<As<tilewise::Reciprocal>, KnownUnaryOp::kReciprocal>},
    {"ReciprocalGrad", GradientOfResult<ReciprocalGrad>},
    {"Rint", Folded<Of<OpKind::kRoundNearestEven>, KnownUnaryOp::kRound>},
    {"Round", Folded<Of<OpKind::kRoundNearestEven>, KnownUnaryOp::kRound>},
    {"Rsqrt", Formula<Rsqrt>},
    {"RsqrtGrad", GradientOfResult<RsqrtGrad>},
    {"Sigmoid", Formula<Sigmoid>},
    {"SigmoidGrad", GradientOfResult<SigmoidGrad>},
    {"Sign", Folded<Sign, KnownUnaryOp::kSign>},
    {"Sin", PlainUnary<OpKind::kSine>},
    {"Sinh", Formula<As<tilewise::Sinh>>},
    {"Sqrt", Folded<Sqrt, KnownUnaryOp::kSqrt>},
    {"SqrtGrad", GradientOfResult<SqrtGrad>},
    {"Square", Formula<Square>},
    {"Tan", PlainUnary<OpKind::kTan>},
    {"Tanh", Formula<Tanh>},
    {"TanhGrad", GradientOfResult<TanhGrad>},
};

}  // namespace

std::span<const OpEntry> UnaryOps() { return kUnaryOps; }

}  // namespace tilewise::tf
