// Activation functions, those of fused ops of ONNX Runtime included.

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "library/activations.h"
#include "library/broadcast.h"

namespace tilewise::onnx {
namespace {

double At(const std::vector<double>& list, size_t i, double fallback) {
  return i < list.size() ? list[i] : fallback;
}

void PreluOp(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId x = ctx.Input(0);
  OpId slope = ctx.Input(1);
  // A slope per channel is [channels] before version 7.
  const Shape& shape = b.shape(x);
  if (b.shape(slope).rank() == 1 && shape.rank() > 2 && b.shape(slope).dims[0] == shape.dims[1] &&
      ctx.opset() < 7) {
    slope = AlongDim(b, slope, x, 1);
  }
  ctx.Set(0, Prelu(b, x, slope));
}

// y = alpha x + beta, of the first versions.
void Affine(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId scaled = WithScalar(b, OpKind::kMultiply, ctx.Input(0), ctx.Float("alpha", 1));
  ctx.Set(0, WithScalar(b, OpKind::kAdd, scaled, ctx.Float("beta", 0)));
}

OpId WithBias(NodeContext& ctx, size_t bias) {
  const OpId x = ctx.Input(0);
  if (!ctx.Has(bias)) return x;
  return BinaryOf(ctx.builder(), OpKind::kAdd, x, ctx.Input(bias));
}

void GeluOp(NodeContext& ctx) {
  ctx.Set(0, ctx.builder().Gelu(WithBias(ctx, 1), ctx.Text("approximate", "none") == "tanh"));
}

void FastGelu(NodeContext& ctx) {
  ctx.Set(0, ctx.builder().Gelu(WithBias(ctx, 1), /*approximate=*/true));
}

constexpr OpEntry kActivationOps[] = {
    {kStandard, "Relu", OfOne<Relu>},
    {kStandard, "Elu", Row<Elu, Operand<0>, RealAttr<"alpha", 1.0>>},
    {kStandard, "Selu",
     Row<Selu, Operand<0>, RealAttr<"alpha", kSeluAlpha>, RealAttr<"gamma", kSeluGamma>>},
    {kStandard, "Celu", Row<Celu, Operand<0>, RealAttr<"alpha", 1.0>>},
    {kStandard, "LeakyRelu", Row<LeakyRelu, Operand<0>, RealAttr<"alpha", 0.01>>},
    {kStandard, "PRelu", PreluOp},
    {kStandard, "ThresholdedRelu", Row<ThresholdedRelu, Operand<0>, RealAttr<"alpha", 1.0>>},
    {kStandard, "HardSigmoid",
     Row<HardSigmoid, Operand<0>, RealAttr<"alpha", 0.2>, RealAttr<"beta", 0.5>>},
    {kStandard, "HardSwish", OfOne<HardSwish>},
    {kStandard, "Mish", OfOne<Mish>},
    {kStandard, "Softplus", OfOne<Softplus>},
    {kStandard, "Softsign", OfOne<Softsign>},
    {kStandard, "Shrink", Row<Shrink, Operand<0>, RealAttr<"lambd", 0.5>, RealAttr<"bias", 0.0>>},
    {kStandard, "ScaledTanh",
     Row<ScaledTanh, Operand<0>, RealAttr<"alpha", 1.0>, RealAttr<"beta", 1.0>>},
    {kStandard, "Affine", Affine},
    {kStandard, "ParametricSoftplus", OfOne<Softplus>},
    {kStandard, "Gelu", GeluOp},
    {kStandard, "Swish", Row<Swish, Operand<0>, RealAttr<"alpha", 1.0>>},
    {kMicrosoft, "Gelu", GeluOp},
    {kMicrosoft, "BiasGelu", GeluOp},
    {kMicrosoft, "FastGelu", FastGelu},
    {kMicrosoft, "QuickGelu", Row<Swish, Operand<0>, RealAttr<"alpha", 1.702>>},
};

}  // namespace

OpId Activated(NodeContext& ctx, OpId x, std::string_view activation,
               const std::vector<double>& p) {
  GraphBuilder& b = ctx.builder();
  if (activation.empty()) return x;
  if (activation == "Relu") return Relu(b, x);
  if (activation == "Tanh") return b.Unary(OpKind::kTanh, x);
  if (activation == "Sigmoid") return b.Unary(OpKind::kLogistic, x);
  if (activation == "LeakyRelu") return LeakyRelu(b, x, At(p, 0, 0.01));
  if (activation == "Clip") return Clamp(b, x, At(p, 0, 0), At(p, 1, 6));
  if (activation == "HardSigmoid") {
    return HardSigmoid(b, x, At(p, 0, 0.2), At(p, 1, 0.5));
  }
  if (activation == "HardSwish") return HardSwish(b, x);
  if (activation == "Elu") return Elu(b, x, At(p, 0, 1));
  if (activation == "Softplus") return Softplus(b, x);
  if (activation == "Gelu") return b.Gelu(x, false);
  if (activation == "FastGelu") return b.Gelu(x, true);
  ctx.Fail(fmt::format("unknown activation {}", activation));
  return kNoOp;
}

std::span<const OpEntry> ActivationOps() { return kActivationOps; }

}  // namespace tilewise::onnx
