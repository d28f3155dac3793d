// Pooling over windows and over all positions.

#include <algorithm>

#include "frontend/keras/layers/families.h"
#include "frontend/keras/layers/windows.h"

namespace tilewise {
namespace {

struct Pooling {
  std::vector<WindowDim> window;
  bool channels_first = false;
};

Pooling ReadPooling(LayerContext& ctx) {
  const int64_t n = SpatialRank(ctx.layer.class_name);
  ctx.ExpectRank(ctx.input(), n + 2);
  const auto sizes = ctx.config.PerDim("pool_size", n, 2);
  const auto strides =
      ctx.config.Has("strides") ? ctx.config.PerDim("strides", n) : sizes;
  const std::vector<int64_t> dilations(sizes.size(), 1);
  const std::string padding = ctx.config.Text("padding", "valid");
  Pooling pooling;
  pooling.channels_first = ctx.config.ChannelsFirst();
  pooling.window =
      MakeWindow(ctx, ctx.input(), {sizes, strides, dilations, padding},
                 pooling.channels_first);
  return pooling;
}

OpId BuildMaxPooling(LayerContext& ctx) {
  const Pooling pooling = ReadPooling(ctx);
  return ctx.builder.ReduceWindow(Reducer::kMax, ctx.input(), pooling.window,
                                  pooling.channels_first);
}

// How many real positions each window covers, in the sums' shape.
OpId Coverage(LayerContext& ctx, const Pooling& pooling, OpId sums) {
  Shape ones = ctx.shape(ctx.input());
  ones.dims[0] = {1, false};
  ones.dims[static_cast<size_t>(
      FeatureDim(pooling.channels_first, ones.rank()))] = {1, false};
  const OpId counts =
      ctx.builder.ReduceWindow(Reducer::kSum, ctx.builder.Constant(1, ones),
                               pooling.window, pooling.channels_first);
  return ctx.builder.BroadcastTo(counts, ctx.shape(sums).dims);
}

OpId BuildAveragePooling(LayerContext& ctx) {
  const Pooling pooling = ReadPooling(ctx);
  const OpId sums = ctx.builder.ReduceWindow(
      Reducer::kSum, ctx.input(), pooling.window, pooling.channels_first);
  double size = 1;
  bool padded = false;
  for (const WindowDim& w : pooling.window) {
    size *= static_cast<double>(w.size);
    padded = padded || w.pad_low + w.pad_high > 0;
  }
  if (!padded) {
    return ctx.builder.BinaryScalar(OpKind::kMultiply, sums, 1 / size);
  }
  if (!ctx.builder.ok()) return kNoOp;
  return ctx.builder.Binary(OpKind::kDivide, sums,
                            Coverage(ctx, pooling, sums));
}

OpId BuildGlobal(LayerContext& ctx, Reducer reducer) {
  const int64_t n = SpatialRank(ctx.layer.class_name);
  if (!ctx.ExpectRank(ctx.input(), n + 2)) return kNoOp;
  const bool channels_first = ctx.config.ChannelsFirst();
  Shape shape = ctx.shape(ctx.input());
  std::vector<int64_t> dims;
  double positions = 1;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t dim = FirstSpatial(channels_first) + i;
    dims.push_back(dim);
    Dim& size = shape.dims[static_cast<size_t>(dim)];
    positions *= static_cast<double>(size.factor);
    size.factor = 1;
  }
  OpId y = ctx.builder.Reduce(reducer, ctx.input(), dims);
  if (reducer == Reducer::kSum) {
    y = ctx.builder.BinaryScalar(OpKind::kMultiply, y, 1 / positions);
  }
  return ctx.config.Flag("keepdims", false) ? ctx.builder.Reshape(y, shape.dims)
                                            : y;
}

OpId BuildGlobalMax(LayerContext& ctx) {
  return BuildGlobal(ctx, Reducer::kMax);
}

OpId BuildGlobalAverage(LayerContext& ctx) {
  return BuildGlobal(ctx, Reducer::kSum);
}

// To a given number of windows, which is a whole part of the positions; others
// overlap by turns and are resampled.
OpId BuildAdaptive(LayerContext& ctx, Reducer reducer) {
  const int64_t n = SpatialRank(ctx.layer.class_name);
  if (!ctx.ExpectRank(ctx.input(), n + 2)) return kNoOp;
  const bool channels_first = ctx.config.ChannelsFirst();
  const std::vector<int64_t> wanted = ctx.config.PerDim("output_size", n);
  Shape shape = ctx.shape(ctx.input());
  std::vector<WindowDim> window;
  bool whole = true;
  double positions = 1;
  for (int64_t i = 0; i < n; ++i) {
    Dim& dim =
        shape.dims[static_cast<size_t>(FirstSpatial(channels_first) + i)];
    const int64_t count = wanted[static_cast<size_t>(i)];
    whole = whole && dim.factor % count == 0;
    WindowDim each;
    each.size = each.stride = std::max<int64_t>(dim.factor / count, 1);
    positions *= static_cast<double>(each.size);
    window.push_back(each);
    dim.factor = count;
  }
  if (!whole) return ctx.Opaque(shape, "pools windows of different sizes");
  const OpId y =
      ctx.builder.ReduceWindow(reducer, ctx.input(), window, channels_first);
  if (reducer == Reducer::kMax) return y;
  return ctx.builder.BinaryScalar(OpKind::kMultiply, y, 1 / positions);
}

OpId BuildAdaptiveMax(LayerContext& ctx) {
  return BuildAdaptive(ctx, Reducer::kMax);
}

OpId BuildAdaptiveAverage(LayerContext& ctx) {
  return BuildAdaptive(ctx, Reducer::kSum);
}

constexpr LayerEntry kPoolingLayers[] = {
    {"MaxPooling1D", BuildMaxPooling},
    {"MaxPooling2D", BuildMaxPooling},
    {"MaxPooling3D", BuildMaxPooling},
    {"AveragePooling1D", BuildAveragePooling},
    {"AveragePooling2D", BuildAveragePooling},
    {"AveragePooling3D", BuildAveragePooling},
    {"AdaptiveAveragePooling1D", BuildAdaptiveAverage},
    {"AdaptiveAveragePooling2D", BuildAdaptiveAverage},
    {"AdaptiveAveragePooling3D", BuildAdaptiveAverage},
    {"AdaptiveMaxPooling1D", BuildAdaptiveMax},
    {"AdaptiveMaxPooling2D", BuildAdaptiveMax},
    {"AdaptiveMaxPooling3D", BuildAdaptiveMax},
    {"GlobalMaxPooling1D", BuildGlobalMax},
    {"GlobalMaxPooling2D", BuildGlobalMax},
    {"GlobalMaxPooling3D", BuildGlobalMax},
    {"GlobalAveragePooling1D", BuildGlobalAverage},
    {"GlobalAveragePooling2D", BuildGlobalAverage},
    {"GlobalAveragePooling3D", BuildGlobalAverage},
};

}  // namespace

std::span<const LayerEntry> PoolingLayers() { return kPoolingLayers; }

}  // namespace tilewise
