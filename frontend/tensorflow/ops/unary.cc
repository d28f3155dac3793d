// Functions of one operand, element by element, and their gradients. Those that
// XLA has no instruction for are written out as it expands them.

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/activations.h"
#include "library/elementary.h"
#include "library/term.h"

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

// Gradients that TensorFlow has as ops, of the result y and its gradient.
using TwoTerms = Term (*)(Term y, Term dy);

template <TwoTerms kFormula>
absl::Status GradientOfResult(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId y, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId dy, Tensor(ctx, 1));
  ctx.SetOp(0, kFormula({ctx.builder, y}, {ctx.builder, dy}).id);
  return absl::OkStatus();
}

Term TanhGrad(Term y, Term dy) { return y.Of(TanhGradient(y.b(), y.id, dy.id)); }
Term SigmoidGrad(Term y, Term dy) { return y.Of(SigmoidGradient(y.b(), y.id, dy.id)); }
Term SqrtGrad(Term y, Term dy) { return dy * 0.5 / y; }
Term RsqrtGrad(Term y, Term dy) { return dy * -0.5 * (y * y * y); }
Term ReciprocalGrad(Term y, Term dy) { return -dy * y * y; }

constexpr OpEntry kUnaryOps[] = {
    {"Abs", Folded<Abs, KnownUnaryOp::kAbs>},
    {"Acos", Formula<As<Acos>>},
    {"Acosh", Formula<As<Acosh>>},
    {"Angle", Formula<As<Angle>>},
    {"Asin", Formula<As<Asin>>},
    {"Asinh", Formula<As<Asinh>>},
    {"Atan", Formula<As<Atan>>},
    {"Atanh", Formula<As<Atanh>>},
    {"Ceil", Folded<Of<OpKind::kCeil>, KnownUnaryOp::kCeil>},
    {"ComplexAbs", Formula<As<ComplexAbs>>},
    {"Conj", Formula<As<Conjugate>>},
    {"Cos", PlainUnary<OpKind::kCosine>},
    {"Cosh", Formula<As<Cosh>>},
    {"Erf", PlainUnary<OpKind::kErf>},
    {"Erfc", Formula<As<Erfc>>},
    {"Erfinv", Formula<As<Erfinv>>},
    {"Exp", Folded<Exp, KnownUnaryOp::kExp>},
    {"Expm1", PlainUnary<OpKind::kExpMinusOne>},
    {"Floor", Folded<Of<OpKind::kFloor>, KnownUnaryOp::kFloor>},
    {"Imag", Formula<As<ImaginaryPart>>},
    {"Inv", Folded<As<Reciprocal>, KnownUnaryOp::kReciprocal>},
    {"InvGrad", GradientOfResult<ReciprocalGrad>},
    {"Invert", PlainUnary<OpKind::kNot>},
    {"IsFinite", PlainUnary<OpKind::kIsFinite>},
    {"IsInf", Formula<As<IsInf>>},
    {"IsNan", Formula<As<IsNan>>},
    {"Log", Folded<Log, KnownUnaryOp::kLog>},
    {"Log1p", PlainUnary<OpKind::kLogPlusOne>},
    {"Ndtri", Formula<As<Ndtri>>},
    {"Neg", Folded<Negated, KnownUnaryOp::kNegate>},
    {"PopulationCount", PlainUnary<OpKind::kPopcnt>},
    {"Real", Formula<As<RealPart>>},
    {"Reciprocal", Folded<As<Reciprocal>, KnownUnaryOp::kReciprocal>},
    {"ReciprocalGrad", GradientOfResult<ReciprocalGrad>},
    {"Rint", Folded<Of<OpKind::kRoundNearestEven>, KnownUnaryOp::kRound>},
    {"Round", Folded<Of<OpKind::kRoundNearestEven>, KnownUnaryOp::kRound>},
    {"Rsqrt", Formula<Rsqrt>},
    {"RsqrtGrad", GradientOfResult<RsqrtGrad>},
    {"Sigmoid", Formula<Sigmoid>},
    {"SigmoidGrad", GradientOfResult<SigmoidGrad>},
    {"Sign", Folded<Sign, KnownUnaryOp::kSign>},
    {"Sin", PlainUnary<OpKind::kSine>},
    {"Sinh", Formula<As<Sinh>>},
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
