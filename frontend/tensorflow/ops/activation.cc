// Activations and their gradients.

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/activations.h"
#include "library/op_functions.h"

namespace tilewise::tf {
namespace {

constexpr double kSeluScaleAlpha = kSeluGamma * kSeluAlpha;

Term Positive(Term x) { return Compared(Comparison::kGt, x, 0); }

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

absl::Status LeakyReluGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId gradient, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId op, Tensor(ctx, 1));
  const Term dy(ctx.builder(), gradient), x(ctx.builder(), op);
  return ctx.Result(Where(Positive(x), dy, dy * ctx.Float("alpha", 0.2)).id);
}

absl::Status Gelu(OpContext& ctx) {
  return ctx.Result(ctx.builder().Gelu(ctx.Input(0), ctx.Bool("approximate", true)));
}

// The slope of Prelu, which TensorFlow.js fuses, is an operand. Gradients are
// of the gradient, and of x or the activation of x.
constexpr OpEntry kActivationOps[] = {
    {"Elu", Row<Elu, Operand<0>, Always<1>>},
    {"EluGrad", OfTerms<EluGrad>},
    {"Gelu", Gelu},
    {"LeakyRelu", Row<LeakyRelu, Operand<0>, RealAttr<"alpha", 0.2>>},
    {"LeakyReluGrad", LeakyReluGrad},
    {"Prelu", OfTwo<Prelu>},
    {"Relu", OfOne<Relu>},
    {"Relu6", OfOne<Relu6>},
    {"Relu6Grad", OfTerms<Relu6Grad>},
    {"ReluGrad", OfTerms<ReluGrad>},
    {"Selu", Row<Selu, Operand<0>, Always<kSeluAlpha>, Always<kSeluGamma>>},
    {"SeluGrad", OfTerms<SeluGrad>},
    {"Softplus", OfOne<Softplus>},
    {"SoftplusGrad", OfTerms<SoftplusGrad>},
    {"Softsign", OfOne<Softsign>},
    {"SoftsignGrad", OfTerms<SoftsignGrad>},
    {"_MklSwish", Row<Swish, Operand<0>, Always<1>>},
};

}  // namespace

std::span<const OpEntry> ActivationOps() { return kActivationOps; }

}  // namespace tilewise::tf
