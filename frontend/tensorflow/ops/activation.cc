// Activations and their gradients.

#include "frontend/tensor/activations.h"
#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "frontend/tensorflow/ops/term.h"

namespace tilewise::tf {
namespace {

// Klambauer et al. 2017.
constexpr double kSeluScale = 1.0507009873554805;
constexpr double kSeluAlpha = 1.6732632423543772;
constexpr double kSeluScaleAlpha = kSeluScale * kSeluAlpha;

using OneTerm = Term (*)(Term x);
using TwoTerms = Term (*)(Term x, Term y);

template <OneTerm kFormula>
absl::Status Activation(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  ctx.SetOp(0, kFormula({ctx.builder, x}).id);
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

Term Relu(Term x) { return Max(x, 0); }
Term Relu6(Term x) { return Min(Max(x, 0), 6); }
Term Elu(Term x) { return x.Of(tilewise::Elu(x.b(), x.id, 1)); }
Term Selu(Term x) {
  return x.Of(tilewise::Selu(x.b(), x.id, kSeluAlpha, kSeluScale));
}
Term Softplus(Term x) { return x.Of(tilewise::Softplus(x.b(), x.id)); }
Term Softsign(Term x) { return x.Of(tilewise::Softsign(x.b(), x.id)); }
Term Swish(Term x) { return x.Of(tilewise::Swish(x.b(), x.id)); }

Term ReluGrad(Term dy, Term y) { return Where(Positive(y), dy, dy.Like(0)); }
Term Relu6Grad(Term dy, Term y) {
  const Term inside =
      Binary(OpKind::kAnd, Positive(y), Compared(Comparison::kLt, y, 6));
  return Where(inside, dy, dy.Like(0));
}
Term EluGrad(Term dy, Term y) { return Where(Positive(y), dy, dy * (y + 1)); }
Term SeluGrad(Term dy, Term y) {
  return Where(Positive(y), dy * kSeluScale, dy * (y + kSeluScaleAlpha));
}
Term SoftplusGrad(Term dy, Term x) { return dy * Sigmoid(x); }
Term SoftsignGrad(Term dy, Term x) { return dy / Square(Abs(x) + 1); }

absl::Status LeakyRelu(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  ctx.SetOp(0, tilewise::LeakyRelu(ctx.builder, x, ctx.Float("alpha", 0.2)));
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
absl::Status Prelu(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId alpha, Tensor(ctx, 1));
  ctx.SetOp(0, tilewise::Prelu(ctx.builder, x, alpha));
  return absl::OkStatus();
}

constexpr OpEntry kActivationOps[] = {
    {"Elu", Activation<Elu>},
    {"EluGrad", Gradient<EluGrad>},
    {"Gelu", Gelu},
    {"LeakyRelu", LeakyRelu},
    {"LeakyReluGrad", LeakyReluGrad},
    {"Prelu", Prelu},
    {"Relu", Activation<Relu>},
    {"Relu6", Activation<Relu6>},
    {"Relu6Grad", Gradient<Relu6Grad>},
    {"ReluGrad", Gradient<ReluGrad>},
    {"Selu", Activation<Selu>},
    {"SeluGrad", Gradient<SeluGrad>},
    {"Softplus", Activation<Softplus>},
    {"SoftplusGrad", Gradient<SoftplusGrad>},
    {"Softsign", Activation<Softsign>},
    {"SoftsignGrad", Gradient<SoftsignGrad>},
    {"_MklSwish", Activation<Swish>},
};

}  // namespace

std::span<const OpEntry> ActivationOps() { return kActivationOps; }

}  // namespace tilewise::tf
