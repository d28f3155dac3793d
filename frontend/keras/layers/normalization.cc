// Normalisation layers.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/keras/layers/families.h"
#include "library/normalizations.h"

namespace tilewise {
namespace {

// A weight, or kNoOp when the layer has none.
OpId Weight(LayerContext& ctx, const char* flag, const char* name,
            const std::vector<int64_t>& sizes) {
  return ctx.config.Flag(flag, true) ? ctx.RawVariable(name, sizes) : kNoOp;
}

int64_t SingleAxis(LayerContext& ctx, int64_t fallback) {
  const std::vector<int64_t> axes = ctx.config.Integers("axis");
  if (axes.size() > 1) {
    ctx.builder.Fail(fmt::format("axis is a list of {}, expected one axis", axes.size()));
  }
  return ctx.NormalizeAxis(axes.empty() ? fallback : axes[0], ctx.rank(ctx.input()));
}

OpId BuildBatchNormalization(LayerContext& ctx) {
  const int64_t axis = SingleAxis(ctx, -1);
  const int64_t features = ctx.shape(ctx.input()).dims[axis].factor;
  BatchNormInputs inputs;
  inputs.scale = Weight(ctx, "scale", "gamma", {features});
  inputs.offset = Weight(ctx, "center", "beta", {features});
  inputs.mean = ctx.RawVariable("moving_mean", {features}, false);
  inputs.variance = ctx.RawVariable("moving_variance", {features}, false);
  // A frozen layer uses its moving statistics also in training.
  return BatchNormOf(ctx.builder, ctx.input(), inputs, axis, ctx.config.Number("epsilon", 1e-3),
                     ctx.training && ctx.config.Flag("trainable", true),
                     ctx.config.Number("momentum", 0.99));
}

OpId BuildLayerNormalization(LayerContext& ctx) {
  std::vector<int64_t> axes = ctx.config.Integers("axis");
  if (axes.empty()) axes = {-1};
  const Shape shape = ctx.shape(ctx.input());
  for (int64_t& axis : axes) axis = ctx.NormalizeAxis(axis, shape.rank());
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  std::vector<int64_t> sizes;
  for (const int64_t axis : axes) {
    if (axis == 0) ctx.builder.Fail("axis is 0, expected not the batch");
    sizes.push_back(shape.dims[axis].factor);
  }
  const OpId scale = Weight(ctx, "scale", "gamma", sizes);
  return LayerNormOf(ctx.builder, ctx.input(), scale, Weight(ctx, "center", "beta", sizes), axes,
                     ctx.config.Number("epsilon", 1e-3));
}

OpId BuildUnitNormalization(LayerContext& ctx) {
  const OpId x = ctx.builder.Convert(ctx.input(), DType::kF32);
  return ctx.builder.Convert(UnitLength(ctx.builder, x, SingleAxis(ctx, -1)), ctx.compute_type);
}

OpId BuildRmsNormalization(LayerContext& ctx) {
  const int64_t axis = SingleAxis(ctx, -1);
  const int64_t rank = ctx.rank(ctx.input());
  std::vector<int64_t> sizes(rank - axis, 1);
  sizes[0] = ctx.shape(ctx.input()).dims[axis].factor;
  return RmsNorm(ctx.builder, ctx.input(), Weight(ctx, "scale", "scale", sizes), {axis},
                 ctx.config.Number("epsilon", 1e-6));
}

OpId BuildGroupNormalization(LayerContext& ctx) {
  const int64_t axis = SingleAxis(ctx, -1);
  const int64_t features = ctx.shape(ctx.input()).dims[axis].factor;
  int64_t groups = ctx.config.Integer("groups", 32);
  if (groups == -1) groups = features;
  if (groups < 1 || features % groups != 0) {
    ctx.builder.Fail(fmt::format("groups is {}, expected a divisor of {}", groups, features));
    return kNoOp;
  }
  const OpId scale = Weight(ctx, "scale", "gamma", {features});
  return GroupNorm(ctx.builder, ctx.input(), scale, Weight(ctx, "center", "beta", {features}),
                   groups, ctx.config.Number("epsilon", 1e-3), axis);
}

constexpr LayerEntry kNormalizationLayers[] = {
    {"BatchNormalization", BuildBatchNormalization},
    {"LayerNormalization", BuildLayerNormalization},
    {"GroupNormalization", BuildGroupNormalization},
    {"UnitNormalization", BuildUnitNormalization},
    {"RMSNormalization", BuildRmsNormalization},
};

}  // namespace

std::span<const LayerEntry> NormalizationLayers() { return kNormalizationLayers; }

}  // namespace tilewise
