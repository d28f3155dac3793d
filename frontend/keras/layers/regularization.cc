// Layers that act only in training: dropout and noise.

#include "frontend/keras/layers/regularization.h"

#include "frontend/keras/layers/families.h"

namespace tilewise {
namespace {

OpId ActivityRegularization(LayerContext& ctx) { return ctx.input(); }

// One f32 random number per element, except where `shared` dims repeat it.
OpId Random(LayerContext& ctx, OpKind kind, OpId x,
            const std::vector<int64_t>& shared) {
  Shape shape = ctx.shape(x).WithType(DType::kF32);
  const std::vector<Dim> full = shape.dims;
  for (const int64_t d : shared) {
    shape.dims[static_cast<size_t>(d)] = {1, false};
  }
  return ctx.builder.BroadcastTo(ctx.builder.Rng(kind, shape), full);
}

OpId Zeros(LayerContext& ctx, OpId x) {
  const Shape shape = ctx.shape(x);
  return ctx.builder.Broadcast(ctx.builder.Scalar(0, shape.dtype), shape.dims,
                               {});
}

OpId BuildDropout(LayerContext& ctx) {
  return Drop(ctx, ctx.input(), ctx.config.Number("rate", 0.5), {});
}

OpId BuildSpatialDropout(LayerContext& ctx) {
  const int64_t n = SpatialRank(ctx.layer.class_name);
  if (!ctx.ExpectRank(ctx.input(), n + 2)) return kNoOp;
  const bool channels_first = ctx.config.ChannelsFirst();
  std::vector<int64_t> shared;
  for (int64_t i = 0; i < n; ++i) {
    shared.push_back(FirstSpatial(channels_first) + i);
  }
  return Drop(ctx, ctx.input(), ctx.config.Number("rate", 0.5), shared);
}

OpId BuildGaussianNoise(LayerContext& ctx) {
  const double stddev = ctx.config.Number("stddev", 0);
  if (!ctx.training || stddev <= 0) return ctx.input();
  const OpId noise = ctx.builder.BinaryScalar(
      OpKind::kMultiply, Random(ctx, OpKind::kRngNormal, ctx.input(), {}),
      stddev);
  return ctx.builder.Binary(OpKind::kAdd, ctx.input(),
                            ctx.builder.Convert(noise, ctx.compute_type));
}

OpId BuildGaussianDropout(LayerContext& ctx) {
  const double rate = ctx.config.Number("rate", 0.5);
  if (!ctx.training || rate <= 0 || rate >= 1) return ctx.input();
  OpId noise = Random(ctx, OpKind::kRngNormal, ctx.input(), {});
  noise = ctx.builder.BinaryScalar(OpKind::kMultiply, noise, rate / (1 - rate));
  noise = ctx.builder.BinaryScalar(OpKind::kAdd, noise, 1);
  return ctx.builder.Binary(OpKind::kMultiply, ctx.input(),
                            ctx.builder.Convert(noise, ctx.compute_type));
}

// Dropout to the negative saturation value of SELU, then an affine correction.
OpId BuildAlphaDropout(LayerContext& ctx) {
  constexpr double kSaturation = -1.7580993408473766;
  const double rate = ctx.config.Number("rate", 0.5);
  if (!ctx.training || rate <= 0 || rate >= 1) return ctx.input();
  const OpId uniform = Random(ctx, OpKind::kRngUniform, ctx.input(), {});
  const Shape shape = ctx.shape(ctx.input());
  const OpId threshold = ctx.builder.Broadcast(
      ctx.builder.Scalar(rate, DType::kF32), shape.dims, {});
  const OpId kept = ctx.builder.Compare(Comparison::kGe, uniform, threshold);
  const OpId saturated = ctx.builder.Broadcast(
      ctx.builder.Scalar(kSaturation, shape.dtype), shape.dims, {});
  const OpId y = ctx.builder.Select(kept, ctx.input(), saturated);
  return ctx.builder.BinaryScalar(
      OpKind::kAdd, ctx.builder.BinaryScalar(OpKind::kMultiply, y, 1 - rate),
      -kSaturation * rate * (1 - rate));
}

constexpr LayerEntry kRegularizationLayers[] = {
    {"Dropout", BuildDropout},
    {"SpatialDropout1D", BuildSpatialDropout},
    {"SpatialDropout2D", BuildSpatialDropout},
    {"SpatialDropout3D", BuildSpatialDropout},
    {"GaussianNoise", BuildGaussianNoise},
    {"GaussianDropout", BuildGaussianDropout},
    {"AlphaDropout", BuildAlphaDropout},
    {"ActivityRegularization", ActivityRegularization, true},
};

}  // namespace

OpId Drop(LayerContext& ctx, OpId x, double rate,
          const std::vector<int64_t>& shared) {
  if (!(rate >= 0 && rate <= 1)) {
    ctx.builder.Fail("rate is out of range, expected 0 to 1");
    return kNoOp;
  }
  if (!ctx.training || rate == 0 || !ctx.builder.ok()) return x;
  if (rate == 1) return Zeros(ctx, x);
  const OpId uniform = Random(ctx, OpKind::kRngUniform, x, shared);
  const OpId threshold = ctx.builder.Broadcast(
      ctx.builder.Scalar(rate, DType::kF32), ctx.shape(x).dims, {});
  const OpId kept = ctx.builder.Compare(Comparison::kGe, uniform, threshold);
  const OpId scaled =
      ctx.builder.BinaryScalar(OpKind::kMultiply, x, 1 / (1 - rate));
  return ctx.builder.Select(kept, scaled, Zeros(ctx, x));
}

std::span<const LayerEntry> RegularizationLayers() {
  return kRegularizationLayers;
}

}  // namespace tilewise
