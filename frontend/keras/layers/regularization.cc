// Layers that act only in training: dropout and noise.

#include "frontend/keras/layers/families.h"
#include "library/activations.h"
#include "library/broadcast.h"
#include "library/random.h"
#include "library/term.h"
#include "library/windows.h"

namespace tilewise {
namespace {

OpId ActivityRegularization(LayerContext& ctx) { return ctx.input(); }

OpId BuildDropout(LayerContext& ctx) {
  return Drop(ctx, ctx.input(), ctx.config.Number("rate", 0.5), {});
}

OpId BuildSpatialDropout(LayerContext& ctx) {
  const int64_t n = SpatialRank(ctx.layer.class_name);
  if (!ctx.ExpectRank(ctx.input(), n + 2)) return kNoOp;
  return Drop(ctx, ctx.input(), ctx.config.Number("rate", 0.5),
              SpatialDims(ctx.config.ChannelsFirst(), n + 2));
}

OpId BuildGaussianNoise(LayerContext& ctx) {
  const double stddev = ctx.config.Number("stddev", 0);
  if (!ctx.training || stddev <= 0) return ctx.input();
  const Term x(ctx.builder, ctx.input());
  const Term noise = x.Of(RandomLike(ctx.builder, OpKind::kRngNormal, x.id)) * stddev;
  return (x + Cast(noise, ctx.compute_type)).id;
}

OpId BuildGaussianDropout(LayerContext& ctx) {
  const double rate = ctx.config.Number("rate", 0.5);
  if (!ctx.training || rate <= 0 || rate >= 1) return ctx.input();
  const Term x(ctx.builder, ctx.input());
  const Term noise = x.Of(RandomLike(ctx.builder, OpKind::kRngNormal, x.id));
  return (x * Cast(noise * (rate / (1 - rate)) + 1, ctx.compute_type)).id;
}

// Dropout to the negative saturation value of SELU, then an affine correction.
OpId BuildAlphaDropout(LayerContext& ctx) {
  constexpr double kSaturation = -kSeluAlpha * kSeluGamma;
  const double rate = ctx.config.Number("rate", 0.5);
  if (!ctx.training || rate <= 0 || rate >= 1) return ctx.input();
  const Term x(ctx.builder, ctx.input());
  const Term uniform = x.Of(RandomLike(ctx.builder, OpKind::kRngUniform, x.id));
  const Term kept = Compared(Comparison::kGe, uniform, rate);
  return (Where(kept, x, x.Like(kSaturation)) * (1 - rate) + -kSaturation * rate * (1 - rate)).id;
}

constexpr LayerEntry kRegularizationLayers[] = {
    {"Dropout", BuildDropout},
    {"SpatialDropout1D|SpatialDropout2D|SpatialDropout3D", BuildSpatialDropout},
    {"GaussianNoise", BuildGaussianNoise},
    {"GaussianDropout", BuildGaussianDropout},
    {"AlphaDropout", BuildAlphaDropout},
    {"ActivityRegularization", ActivityRegularization, true},
};

}  // namespace

OpId Drop(LayerContext& ctx, OpId x, double rate, const std::vector<int64_t>& shared) {
  if (!(rate >= 0 && rate <= 1)) {
    ctx.builder.Fail("rate is out of range, expected 0 to 1");
    return kNoOp;
  }
  if (!ctx.training || rate == 0 || !ctx.builder.ok()) return x;
  if (rate == 1) return FilledLike(ctx.builder, x, 0);
  return Dropout(ctx.builder, x, rate, shared).result;
}

std::span<const LayerEntry> RegularizationLayers() { return kRegularizationLayers; }

}  // namespace tilewise
