// Activations and their gradients.

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/activations.h"
#include "library/term.h"

namespace tilewise::tf {
namespace {

constexpr double kSeluScaleAlpha = kSeluGamma * kSeluAlpha;

using TwoTerms = Term (*)(Term x, Term y);

// A function of the library, of one operand.
template <OpId (*kMake)(GraphBuilder&, OpId)>
absl::Status Made(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  ctx.SetOp(0, kMake(ctx.builder, x));
  return absl::OkStatus();
}

// Operands: the gradient, and x or the activation of x.
template <TwoTerms kFormula>
absl::Status Gradient(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId dy, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 1));
  ctx.SetOp(0, kFormula({ctx.builder, dy}, {ctx.builder, x}).id);
  return absl::OkStatus();
}

Term Positive(Term x) { return Compared(Comparison::kGt, x, 0); }

OpId PlainElu(GraphBuilder& b, OpId x) { return Elu(b, x); }
OpId PlainSelu(GraphBuilder& b, OpId x) { return Selu(b, x); }
OpId PlainSwish(GraphBuilder& b, OpId x) { return Swish(b, x); }

Term ReluGrad(Term dy, Term y) { return y.Of(ReluGradient(y.b(), y.id, dy.id)); }
Term Relu6Grad(Term dy, Term y) {
  const Term inside = Binary(OpKind::kAnd, Positive(y), Compared(Comparison::kLt, y, 6));
  return Where(inside, dy, dy.Like(0));
}
Term EluGrad(Term dy, Term y) { return Where(Positive(y), dy, dy * (y + 1)); }
Term SeluGrad(Term dy, Term y) {
  return Where(Positive(y), dy * kSeluGamma, dy * (y + kSeluScaleAlpha));
}
Term SoftplusGrad(Term dy, Term x) { return dy * Sigmoid(x); }
Term SoftsignGrad(Term dy, Term x) { return dy / Square(Abs(x) + 1); }

absl::Status LeakyReluOf(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  ctx.SetOp(0, LeakyRelu(ctx.builder, x, ctx.Float("alpha", 0.2)));
  return absl::OkStatus();
}

absl::Status LeakyReluGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId gradient, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId op, Tensor(ctx, 1));
  const Term dy(ctx.builder, gradient), x(ctx.builder, op);
  ctx.SetOp(0, Where(Positive(x), dy, dy * ctx.Float("alpha", 0.2)).id);
  return absl::OkStatus();
}

absl::Status Gelu(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  ctx.SetOp(0, ctx.builder.Gelu(x, ctx.Bool("approximate", true)));
  return absl::OkStatus();
}

// PReLU as TensorFlow.js fuses it: alpha is an operand.
absl::Status PreluOf(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId alpha, Tensor(ctx, 1));
  ctx.SetOp(0, Prelu(ctx.builder, x, alpha));
  return absl::OkStatus();
}

constexpr OpEntry kActivationOps[] = {
    {"Elu", Made<PlainElu>},
    {"EluGrad", Gradient<EluGrad>},
    {"Gelu", Gelu},
    {"LeakyRelu", LeakyReluOf},
    {"LeakyReluGrad", LeakyReluGrad},
    {"Prelu", PreluOf},
    {"Relu", Made<Relu>},
    {"Relu6", Made<Relu6>},
    {"Relu6Grad", Gradient<Relu6Grad>},
    {"ReluGrad", Gradient<ReluGrad>},
    {"Selu", Made<PlainSelu>},
    {"SeluGrad", Gradient<SeluGrad>},
    {"Softplus", Made<Softplus>},
    {"SoftplusGrad", Gradient<SoftplusGrad>},
    {"Softsign", Made<Softsign>},
    {"SoftsignGrad", Gradient<SoftsignGrad>},
    {"_MklSwish", Made<PlainSwish>},
};

}  // namespace

std::span<const OpEntry> ActivationOps() { return kActivationOps; }

}  // namespace tilewise::tf
