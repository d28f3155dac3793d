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

void EluOp(NodeContext& ctx) {
  ctx.Set(0, Elu(ctx.builder(), ctx.Input(0), ctx.Float("alpha", 1)));
}

void SeluOp(NodeContext& ctx) {
  ctx.Set(0, Selu(ctx.builder(), ctx.Input(0), ctx.Float("alpha", kSeluAlpha),
                  ctx.Float("gamma", kSeluGamma)));
}

void CeluOp(NodeContext& ctx) {
  ctx.Set(0, Celu(ctx.builder(), ctx.Input(0), ctx.Float("alpha", 1)));
}

void LeakyReluOp(NodeContext& ctx) {
  ctx.Set(0, LeakyRelu(ctx.builder(), ctx.Input(0), ctx.Float("alpha", 0.01)));
}

void PreluOp(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId x = ctx.Input(0);
  OpId slope = ctx.Input(1);
  // Before version 7 a slope per channel is [channels].
  const Shape& shape = b.shape(x);
  if (b.shape(slope).rank() == 1 && shape.rank() > 2 && b.shape(slope).dims[0] == shape.dims[1] &&
      ctx.opset() < 7) {
    slope = AlongDim(b, slope, x, 1);
  }
  ctx.Set(0, Prelu(b, x, slope));
}

void ThresholdedReluOp(NodeContext& ctx) {
  ctx.Set(0, ThresholdedRelu(ctx.builder(), ctx.Input(0), ctx.Float("alpha", 1)));
}

void HardSigmoidOp(NodeContext& ctx) {
  ctx.Set(
      0, HardSigmoid(ctx.builder(), ctx.Input(0), ctx.Float("alpha", 0.2), ctx.Float("beta", 0.5)));
}

void ShrinkOp(NodeContext& ctx) {
  ctx.Set(0, Shrink(ctx.builder(), ctx.Input(0), ctx.Float("lambd", 0.5), ctx.Float("bias", 0)));
}

void ScaledTanhOp(NodeContext& ctx) {
  ctx.Set(0, ScaledTanh(ctx.builder(), ctx.Input(0), ctx.Float("alpha", 1), ctx.Float("beta", 1)));
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

void QuickGeluOp(NodeContext& ctx) {
  ctx.Set(0, Swish(ctx.builder(), ctx.Input(0), ctx.Float("alpha", 1.702)));
}

void SwishOp(NodeContext& ctx) {
  ctx.Set(0, Swish(ctx.builder(), ctx.Input(0), ctx.Float("alpha", 1)));
}

constexpr OpEntry kActivationOps[] = {
    {kStandard, "Relu", MadeUnary<Relu>},
    {kStandard, "Elu", EluOp},
    {kStandard, "Selu", SeluOp},
    {kStandard, "Celu", CeluOp},
    {kStandard, "LeakyRelu", LeakyReluOp},
    {kStandard, "PRelu", PreluOp},
    {kStandard, "ThresholdedRelu", ThresholdedReluOp},
    {kStandard, "HardSigmoid", HardSigmoidOp},
    {kStandard, "HardSwish", MadeUnary<HardSwish>},
    {kStandard, "Mish", MadeUnary<Mish>},
    {kStandard, "Softplus", MadeUnary<Softplus>},
    {kStandard, "Softsign", MadeUnary<Softsign>},
    {kStandard, "Shrink", ShrinkOp},
    {kStandard, "ScaledTanh", ScaledTanhOp},
    {kStandard, "Affine", Affine},
    {kStandard, "ParametricSoftplus", MadeUnary<Softplus>},
    {kStandard, "Gelu", GeluOp},
    {kStandard, "Swish", SwishOp},
    {kMicrosoft, "Gelu", GeluOp},
    {kMicrosoft, "BiasGelu", GeluOp},
    {kMicrosoft, "FastGelu", FastGelu},
    {kMicrosoft, "QuickGelu", QuickGeluOp},
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
