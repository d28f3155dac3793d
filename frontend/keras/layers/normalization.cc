// Normalisation layers. They compute in f32 whatever the policy says, as Keras
// does for 16-bit inputs.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/keras/layers/families.h"

namespace tilewise {
namespace {

// A weight, or the constant it stands for when the layer has none.
OpId WeightOr(LayerContext& ctx, const char* flag, const char* name,
              const std::vector<int64_t>& sizes, double value) {
  if (ctx.config.Flag(flag, true)) {
    return ctx.builder.Convert(ctx.RawVariable(name, sizes), DType::kF32);
  }
  return ctx.builder.Constant(value, Shape::Of(DType::kF32, sizes));
}

OpId State(LayerContext& ctx, const char* name, int64_t size) {
  return ctx.builder.Convert(ctx.RawVariable(name, {size}, false), DType::kF32);
}

int64_t SingleAxis(LayerContext& ctx, int64_t fallback) {
  const std::vector<int64_t> axes = ctx.config.Integers("axis");
  if (axes.size() > 1) {
    ctx.builder.Fail(
        fmt::format("axis is a list of {}, expected one axis", axes.size()));
  }
  return ctx.NormalizeAxis(axes.empty() ? fallback : axes[0],
                           ctx.rank(ctx.input()));
}

OpId BuildBatchNormalization(LayerContext& ctx) {
  const int64_t axis = SingleAxis(ctx, -1);
  const Shape shape = ctx.shape(ctx.input());
  const int64_t features = shape.dims[static_cast<size_t>(axis)].factor;
  const double epsilon = ctx.config.Number("epsilon", 1e-3);
  const OpId scale = WeightOr(ctx, "scale", "gamma", {features}, 1);
  const OpId offset = WeightOr(ctx, "center", "beta", {features}, 0);
  const OpId mean = State(ctx, "moving_mean", features);
  const OpId variance = State(ctx, "moving_variance", features);
  const OpId x = ctx.builder.Convert(ctx.input(), DType::kF32);
  // A frozen layer uses its moving statistics also in training.
  const bool batch_statistics =
      ctx.training && ctx.config.Flag("trainable", true);
  const OpId y = batch_statistics
                     ? ctx.builder.BatchNormTracking(
                           x, scale, offset, mean, variance, axis, epsilon,
                           ctx.config.Number("momentum", 0.99))
                     : ctx.builder.BatchNormInference(x, scale, offset, mean,
                                                      variance, axis, epsilon);
  return ctx.builder.Convert(y, ctx.compute_type);
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
    sizes.push_back(shape.dims[static_cast<size_t>(axis)].factor);
  }
  const OpId scale = WeightOr(ctx, "scale", "gamma", sizes, 1);
  const OpId offset = WeightOr(ctx, "center", "beta", sizes, 0);
  const OpId y = ctx.builder.LayerNorm(
      ctx.builder.Convert(ctx.input(), DType::kF32), scale, offset, axes,
      ctx.config.Number("epsilon", 1e-3));
  return ctx.builder.Convert(y, ctx.compute_type);
}

// Sum over `dims` times `factor`, stretched back to the shape of x.
OpId Mean(LayerContext& ctx, OpId x, const std::vector<int64_t>& dims,
          double factor) {
  Shape kept = ctx.shape(x);
  const std::vector<Dim> full = kept.dims;
  for (const int64_t d : dims) kept.dims[static_cast<size_t>(d)] = {1, false};
  OpId mean = ctx.builder.Reduce(Reducer::kSum, x, dims);
  mean = ctx.builder.BinaryScalar(OpKind::kMultiply, mean, factor);
  return ctx.builder.BroadcastTo(ctx.builder.Reshape(mean, kept.dims), full);
}

OpId Square(LayerContext& ctx, OpId x) {
  return ctx.builder.Binary(OpKind::kMultiply, x, x);
}

OpId BuildUnitNormalization(LayerContext& ctx) {
  const int64_t axis = SingleAxis(ctx, -1);
  const OpId x = ctx.builder.Convert(ctx.input(), DType::kF32);
  OpId norm = Mean(ctx, Square(ctx, x), {axis}, 1);
  norm = ctx.builder.BinaryScalar(OpKind::kMaximum, norm, 1e-12);
  const OpId y = ctx.builder.Binary(OpKind::kMultiply, x,
                                    ctx.builder.Unary(OpKind::kRsqrt, norm));
  return ctx.builder.Convert(y, ctx.compute_type);
}

// Without a mean: x over its root mean square.
OpId BuildRmsNormalization(LayerContext& ctx) {
  const int64_t axis = SingleAxis(ctx, -1);
  const OpId x = ctx.builder.Convert(ctx.input(), DType::kF32);
  const Shape shape = ctx.shape(x);
  const int64_t features = shape.dims[static_cast<size_t>(axis)].factor;
  OpId square =
      Mean(ctx, Square(ctx, x), {axis}, 1 / static_cast<double>(features));
  square = ctx.builder.BinaryScalar(OpKind::kAdd, square,
                                    ctx.config.Number("epsilon", 1e-6));
  OpId y = ctx.builder.Binary(OpKind::kMultiply, x,
                              ctx.builder.Unary(OpKind::kRsqrt, square));
  const OpId scale = WeightOr(ctx, "scale", "scale", {features}, 1);
  y = ctx.builder.Binary(OpKind::kMultiply, y,
                         ctx.builder.Broadcast(scale, shape.dims, {axis}));
  return ctx.builder.Convert(y, ctx.compute_type);
}

// x with its feature dim split into groups, normalised over everything of a
// group but the batch. Features are last: Keras allows another axis, which is
// refused here.
OpId NormalizeGroups(LayerContext& ctx, OpId x, int64_t groups) {
  Shape split = ctx.shape(x);
  const std::vector<Dim> original = split.dims;
  const int64_t features = split.dims.back().factor;
  split.dims.back() = {groups, false};
  split.dims.push_back({features / groups, false});
  std::vector<int64_t> dims;
  double count = 1;
  for (int64_t d = 1; d < split.rank(); ++d) {
    if (d == split.rank() - 2) continue;
    dims.push_back(d);
    count *= static_cast<double>(split.dims[static_cast<size_t>(d)].factor);
  }
  x = ctx.builder.Reshape(x, split.dims);
  x = ctx.builder.Binary(OpKind::kSubtract, x, Mean(ctx, x, dims, 1 / count));
  OpId variance = Mean(ctx, Square(ctx, x), dims, 1 / count);
  variance = ctx.builder.BinaryScalar(OpKind::kAdd, variance,
                                      ctx.config.Number("epsilon", 1e-3));
  x = ctx.builder.Binary(OpKind::kMultiply, x,
                         ctx.builder.Unary(OpKind::kRsqrt, variance));
  return ctx.builder.Reshape(x, original);
}

OpId BuildGroupNormalization(LayerContext& ctx) {
  const int64_t rank = ctx.rank(ctx.input());
  const int64_t features = ctx.shape(ctx.input()).dims.back().factor;
  if (SingleAxis(ctx, -1) != rank - 1) {
    ctx.builder.Fail("axis is not the last one, expected -1");
  }
  int64_t groups = ctx.config.Integer("groups", 32);
  if (groups == -1) groups = features;
  if (groups < 1 || features % groups != 0) {
    ctx.builder.Fail(fmt::format("groups is {}, expected a divisor of {}",
                                 groups, features));
    return kNoOp;
  }
  OpId y = NormalizeGroups(ctx, ctx.builder.Convert(ctx.input(), DType::kF32),
                           groups);
  const std::vector<Dim> dims = ctx.shape(y).dims;
  const OpId scale = ctx.builder.Broadcast(
      WeightOr(ctx, "scale", "gamma", {features}, 1), dims, {rank - 1});
  y = ctx.builder.Binary(OpKind::kMultiply, y, scale);
  y = ctx.AddBias(y, WeightOr(ctx, "center", "beta", {features}, 0), rank - 1);
  return ctx.builder.Convert(y, ctx.compute_type);
}

constexpr LayerEntry kNormalizationLayers[] = {
    {"BatchNormalization", BuildBatchNormalization},
    {"LayerNormalization", BuildLayerNormalization},
    {"GroupNormalization", BuildGroupNormalization},
    {"UnitNormalization", BuildUnitNormalization},
    {"RMSNormalization", BuildRmsNormalization},
};

}  // namespace

std::span<const LayerEntry> NormalizationLayers() {
  return kNormalizationLayers;
}

}  // namespace tilewise
