// Pooling over windows and over all positions.

#include <algorithm>

#include "frontend/keras/layers/families.h"
#include "library/reductions.h"
#include "library/windows.h"

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
  const auto strides = ctx.config.Has("strides") ? ctx.config.PerDim("strides", n) : sizes;
  const std::vector<int64_t> dilations(sizes.size(), 1);
  const std::string padding = ctx.config.Text("padding", "valid");
  Pooling pooling;
  pooling.channels_first = ctx.config.ChannelsFirst();
  pooling.window =
      MakeWindow(ctx, ctx.input(), {sizes, strides, dilations, padding}, pooling.channels_first);
  return pooling;
}

OpId BuildMaxPooling(LayerContext& ctx) {
  const Pooling pooling = ReadPooling(ctx);
  return ctx.builder.ReduceWindow(Reducer::kMax, ctx.input(), pooling.window,
                                  pooling.channels_first);
}

OpId BuildAveragePooling(LayerContext& ctx) {
  const Pooling pooling = ReadPooling(ctx);
  if (!ctx.builder.ok()) return kNoOp;
  return AveragePool(ctx.builder, ctx.input(), pooling.window, pooling.channels_first,
                     /*count_padding=*/false);
}

template <Reduction kReduction>
OpId BuildGlobal(LayerContext& ctx) {
  const int64_t n = SpatialRank(ctx.layer.class_name);
  if (!ctx.ExpectRank(ctx.input(), n + 2)) return kNoOp;
  return ReduceOf(ctx.builder, kReduction, ctx.input(),
                  SpatialDims(ctx.config.ChannelsFirst(), n + 2),
                  ctx.config.Flag("keepdims", false));
}

// Pools to a given number of windows, which is a whole part of the positions;
// other numbers overlap by turns and are resampled.
template <bool kIsMean>
OpId BuildAdaptive(LayerContext& ctx) {
  const int64_t n = SpatialRank(ctx.layer.class_name);
  if (!ctx.ExpectRank(ctx.input(), n + 2)) return kNoOp;
  const bool channels_first = ctx.config.ChannelsFirst();
  const std::vector<int64_t> wanted = ctx.config.PerDim("output_size", n);
  Shape shape = ctx.shape(ctx.input());
  std::vector<WindowDim> window;
  bool whole = true;
  for (int64_t i = 0; i < n; ++i) {
    Dim& dim = shape.dims[FirstSpatialDim(channels_first) + i];
    const int64_t count = wanted[i];
    whole = whole && dim.factor % count == 0;
    WindowDim each;
    each.size = each.stride = std::max<int64_t>(dim.factor / count, 1);
    window.push_back(each);
    dim.factor = count;
  }
  if (!whole) return ctx.Opaque(shape, "pools windows of different sizes");
  if (kIsMean) {
    return AveragePool(ctx.builder, ctx.input(), window, channels_first,
                       /*count_padding=*/false);
  }
  return ctx.builder.ReduceWindow(Reducer::kMax, ctx.input(), window, channels_first);
}

constexpr LayerEntry kPoolingLayers[] = {
    {"MaxPooling1D|MaxPooling2D|MaxPooling3D", BuildMaxPooling},
    {"AveragePooling1D|AveragePooling2D|AveragePooling3D", BuildAveragePooling},
    {"AdaptiveAveragePooling1D|AdaptiveAveragePooling2D|AdaptiveAveragePooling3D",
     BuildAdaptive<true>},
    {"AdaptiveMaxPooling1D|AdaptiveMaxPooling2D|AdaptiveMaxPooling3D", BuildAdaptive<false>},
    {"GlobalMaxPooling1D|GlobalMaxPooling2D|GlobalMaxPooling3D", BuildGlobal<Reduction::kMax>},
    {"GlobalAveragePooling1D|GlobalAveragePooling2D|GlobalAveragePooling3D",
     BuildGlobal<Reduction::kMean>},
};

}  // namespace

std::span<const LayerEntry> PoolingLayers() { return kPoolingLayers; }

}  // namespace tilewise
