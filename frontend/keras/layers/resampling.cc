// Padding, cropping and upsampling of spatial dims.

#include <utility>

#include <fmt/format.h>

#include "frontend/keras/layers/families.h"
#include "library/rearrange.h"
#include "library/resize.h"
#include "library/windows.h"

namespace tilewise {
namespace {

using Amounts = std::vector<std::pair<int64_t, int64_t>>;

// An integer, one integer or a pair for each spatial dim; in one dimension also
// the pair itself.
Amounts ReadAmounts(LayerContext& ctx, std::string_view key, int64_t n) {
  const nlohmann::json* value = ctx.config.Find(key);
  const size_t count = n;
  if (value == nullptr) return Amounts(count, {1, 1});
  if (const auto all = AsInteger(*value); all && *all >= 0) {
    return Amounts(count, {*all, *all});
  }
  Amounts amounts;
  if (value->is_array() && n == 1 && value->size() == 2 && AsInteger((*value)[0]) &&
      AsInteger((*value)[1])) {
    amounts = {{*AsInteger((*value)[0]), *AsInteger((*value)[1])}};
  } else if (value->is_array() && value->size() == count) {
    for (const nlohmann::json& item : *value) {
      const bool pair = item.is_array() && item.size() == 2;
      amounts.emplace_back(AsInteger(pair ? item[0] : item).value_or(-1),
                           AsInteger(pair ? item[1] : item).value_or(-1));
    }
  }
  bool fits = amounts.size() == count;
  for (const auto& [low, high] : amounts) fits = fits && low >= 0 && high >= 0;
  if (fits) return amounts;
  ctx.builder.Fail(fmt::format("{} is {}, expected an integer or {} integers or pairs, 0 or more",
                               key, DescribeJson(*value), n));
  return Amounts(count, {0, 0});
}

OpId BuildZeroPadding(LayerContext& ctx) {
  const int64_t n = SpatialRank(ctx.layer.class_name);
  if (!ctx.ExpectRank(ctx.input(), n + 2)) return kNoOp;
  const Amounts amounts = ReadAmounts(ctx, "padding", n);
  const size_t first = FirstSpatialDim(ctx.config.ChannelsFirst());
  std::vector<int64_t> low(static_cast<size_t>(n) + 2, 0);
  std::vector<int64_t> high = low;
  for (size_t i = 0; i < amounts.size(); ++i) {
    low[first + i] = amounts[i].first;
    high[first + i] = amounts[i].second;
  }
  const std::vector<int64_t> interior(low.size(), 0);
  return ctx.builder.Pad(ctx.input(), 0, low, high, interior);
}

OpId BuildCropping(LayerContext& ctx) {
  const int64_t n = SpatialRank(ctx.layer.class_name);
  if (!ctx.ExpectRank(ctx.input(), n + 2)) return kNoOp;
  const Amounts amounts = ReadAmounts(ctx, "cropping", n);
  const int64_t first = FirstSpatialDim(ctx.config.ChannelsFirst());
  std::vector<SliceRange> kept;
  for (int64_t i = 0; i < n; ++i) {
    const auto [low, high] = amounts[i];
    const int64_t size = ctx.shape(ctx.input()).dims[first + i].factor;
    if (low + high >= size) {
      ctx.builder.Fail(fmt::format("cropping takes {} of {} positions", low + high, size));
      return kNoOp;
    }
    kept.push_back({first + i, low, size - high});
  }
  return SliceRanges(ctx.builder, ctx.input(), kept);
}

OpId BuildUpSampling(LayerContext& ctx) {
  const int64_t n = SpatialRank(ctx.layer.class_name);
  if (!ctx.ExpectRank(ctx.input(), n + 2)) return kNoOp;
  const std::vector<int64_t> size = ctx.config.PerDim("size", n, 2);
  const int64_t first = FirstSpatialDim(ctx.config.ChannelsFirst());
  std::vector<int64_t> dims, sizes;
  for (int64_t i = 0; i < n; ++i) {
    dims.push_back(first + i);
    sizes.push_back(ctx.shape(ctx.input()).size(first + i) * size[i]);
  }
  const bool nearest = ctx.config.Text("interpolation", "nearest") == "nearest";
  return ResizeDims(ctx.builder, ctx.input(), dims, sizes,
                    nearest ? ResizeMode::kNearest : ResizeMode::kLinear);
}

constexpr LayerEntry kResamplingLayers[] = {
    {"ZeroPadding1D|ZeroPadding2D|ZeroPadding3D", BuildZeroPadding},
    {"Cropping1D|Cropping2D|Cropping3D", BuildCropping},
    {"UpSampling1D|UpSampling2D|UpSampling3D", BuildUpSampling},
};

}  // namespace

std::span<const LayerEntry> ResamplingLayers() { return kResamplingLayers; }

}  // namespace tilewise
