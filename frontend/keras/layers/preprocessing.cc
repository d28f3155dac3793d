// Preprocessing and augmentation layers. Augmentation acts in training only;
// what needs resampling by random coordinates has no cost model here.

#include <array>
#include <numeric>
#include <vector>

#include "frontend/keras/layers/families.h"
#include "library/broadcast.h"
#include "library/gather.h"
#include "library/resize.h"
#include "library/term.h"
#include "library/windows.h"

namespace tilewise {
namespace {

OpId BuildRescaling(LayerContext& ctx) {
  // Per-channel lists cost what scalars cost.
  const nlohmann::json* scale = ctx.config.Find("scale");
  const nlohmann::json* offset = ctx.config.Find("offset");
  const bool scalar = scale != nullptr && scale->is_number();
  const OpId y =
      ctx.builder.BinaryScalar(OpKind::kMultiply, ctx.input(), scalar ? scale->get<double>() : 1.5);
  const bool shifts = offset != nullptr && (*offset != 0 || !scalar);
  if (!shifts) return y;
  return ctx.builder.BinaryScalar(OpKind::kAdd, y,
                                  offset->is_number() ? offset->get<double>() : 0.5);
}

OpId BuildNormalization(LayerContext& ctx) {
  const Shape shape = ctx.shape(ctx.input());
  const int64_t last = shape.rank() - 1;
  const int64_t features = shape.dims.back().factor;
  if (last < 1) ctx.ExpectRank(ctx.input(), 2);
  const OpId mean = ctx.Variable("mean", {features}, false);
  OpId scale = ctx.Variable("variance", {features}, false);
  scale =
      ctx.builder.Unary(OpKind::kRsqrt, ctx.builder.BinaryScalar(OpKind::kMaximum, scale, 1e-14));
  const OpId centred = ctx.builder.Binary(OpKind::kSubtract, ctx.input(),
                                          ctx.builder.Broadcast(mean, shape.dims, {last}));
  return ctx.builder.Binary(OpKind::kMultiply, centred,
                            ctx.builder.Broadcast(scale, shape.dims, {last}));
}

// The input's shape with height and width replaced.
Shape Resized(LayerContext& ctx) {
  Shape shape = ctx.shape(ctx.input());
  if (!ctx.ExpectRank(ctx.input(), 4)) return shape;
  const size_t first = FirstSpatialDim(ctx.config.ChannelsFirst());
  shape.dims[first].factor = ctx.config.Positive("height");
  shape.dims[first + 1].factor = ctx.config.Positive("width");
  return shape;
}

OpId BuildResizing(LayerContext& ctx) {
  const Shape shape = Resized(ctx);
  const int64_t first = FirstSpatialDim(ctx.config.ChannelsFirst());
  const std::string mode = ctx.config.Text("interpolation", "bilinear");
  const bool linear = mode == "bilinear" || mode == "area";
  if (!linear && mode != "nearest" && mode != "bicubic") {
    return ctx.Opaque(shape, "resamples images");
  }
  ResizeMode how = linear ? ResizeMode::kLinear : ResizeMode::kCubic;
  if (mode == "nearest") how = ResizeMode::kNearest;
  const std::array<int64_t, 2> dims = {first, first + 1};
  const std::array<int64_t, 2> sizes = {shape.size(first), shape.size(first + 1)};
  return ResizeDims(ctx.builder, ctx.input(), dims, sizes, how);
}

OpId BuildCrop(LayerContext& ctx) {
  const Shape shape = Resized(ctx);
  const int64_t first = FirstSpatialDim(ctx.config.ChannelsFirst());
  OpId y = ctx.input();
  for (int64_t dim = first; dim < first + 2 && ctx.builder.ok(); ++dim) {
    const int64_t from = ctx.shape(y).dims[dim].factor;
    const int64_t to = shape.dims[dim].factor;
    if (to > from) return ctx.Opaque(shape, "resizes images to crop them");
    y = ctx.builder.SliceDim(y, dim, (from - to) / 2, (from - to) / 2 + to);
  }
  return y;
}

// One random number per example, in the input's shape.
OpId PerExample(LayerContext& ctx, const Shape& shape) {
  const Shape numbers(DType::kF32, {shape.dims[0]});
  return ctx.builder.Broadcast(ctx.builder.Rng(OpKind::kRngUniform, numbers), shape.dims, {0});
}

OpId BuildFlip(LayerContext& ctx) {
  if (!ctx.training || !ctx.ExpectRank(ctx.input(), 4)) return ctx.input();
  const std::string mode = ctx.config.Text("mode", "horizontal_and_vertical");
  const int64_t first = FirstSpatialDim(ctx.config.ChannelsFirst());
  OpId y = ctx.input();
  const Shape shape = ctx.shape(y);
  for (const int64_t dim : {first, first + 1}) {
    const bool wanted = mode.find(dim == first ? "vertical" : "horizontal") != std::string::npos;
    if (!wanted) continue;
    const OpId half = ctx.builder.Broadcast(ctx.builder.Scalar(0.5, DType::kF32), shape.dims, {});
    const OpId flips = ctx.builder.Compare(Comparison::kGe, PerExample(ctx, shape), half);
    y = ctx.builder.Select(flips, ctx.builder.Reverse(y, {dim}), y);
  }
  return y;
}

OpId BuildBrightness(LayerContext& ctx) {
  if (!ctx.training) return ctx.input();
  const OpId amount =
      ctx.builder.Convert(PerExample(ctx, ctx.shape(ctx.input())), ctx.compute_type);
  return ctx.builder.Binary(OpKind::kAdd, ctx.input(), amount);
}

OpId BuildContrast(LayerContext& ctx) {
  if (!ctx.training || !ctx.ExpectRank(ctx.input(), 4)) return ctx.input();
  const Shape shape = ctx.shape(ctx.input());
  const double pixels =
      static_cast<double>(shape.dims[1].factor) * static_cast<double>(shape.dims[2].factor);
  OpId mean = ctx.builder.Reduce(Reducer::kSum, ctx.input(), {1, 2});
  mean = ctx.builder.BinaryScalar(OpKind::kMultiply, mean, 1 / pixels);
  mean = ctx.builder.Broadcast(mean, shape.dims, {0, 3});
  const OpId factor = ctx.builder.Convert(PerExample(ctx, shape), ctx.compute_type);
  const OpId spread = ctx.builder.Binary(
      OpKind::kMultiply, ctx.builder.Binary(OpKind::kSubtract, ctx.input(), mean), factor);
  return ctx.builder.Binary(OpKind::kAdd, spread, mean);
}

// What is darker than the threshold is kept, the rest is taken from the largest value.
OpId BuildSolarization(LayerContext& ctx) {
  if (!ctx.training) return ctx.input();
  const nlohmann::json* range = ctx.config.Find("value_range");
  const bool has_top = range != nullptr && range->is_array() && range->size() == 2;
  const double top = has_top && (*range)[1].is_number() ? (*range)[1].get<double>() : 255;
  const OpId amount =
      ctx.builder.Convert(PerExample(ctx, ctx.shape(ctx.input())), ctx.compute_type);
  const Term x(ctx.builder, ctx.builder.Binary(OpKind::kAdd, ctx.input(), amount));
  const Term inverse = top - x;
  return Where(Compared(Comparison::kLt, x, top / 2), x, inverse).id;
}

OpId BuildRandomWarp(LayerContext& ctx) {
  if (!ctx.training) return ctx.input();
  return ctx.Opaque(ctx.shape(ctx.input()), "resamples images at random");
}

// Categories as the mode wants them: as they are, or as vectors of ones where
// they are, or of how often each is.
OpId Encoded(LayerContext& ctx, OpId categories, int64_t count, const std::string& mode) {
  if (mode == "int") return categories;
  GraphBuilder& b = ctx.builder;
  const OpId on = b.Scalar(1, DType::kF32), off = b.Scalar(0, DType::kF32);
  const OpId each = OneHot(b, categories, count, -1, on, off);
  const int64_t rank = ctx.rank(each);
  if (mode == "one_hot" || rank < 3) return each;
  const Reducer reducer = mode == "count" ? Reducer::kSum : Reducer::kMax;
  return b.Reduce(reducer, each, {rank - 2});
}

OpId BuildCategoryEncoding(LayerContext& ctx) {
  return Encoded(ctx, ctx.builder.Convert(ctx.input(), DType::kS32),
                 ctx.config.Positive("num_tokens"), ctx.config.Text("output_mode", "multi_hot"));
}

// The bin of each value: how many boundaries are not larger, counted as
// BucketizeOp of tf2xla does, by comparing it with all of them.
OpId BuildDiscretization(LayerContext& ctx) {
  const nlohmann::json* given = ctx.config.Find("bin_boundaries");
  const bool listed = given != nullptr && given->is_array() && !given->empty();
  const int64_t count =
      listed ? static_cast<int64_t>(given->size()) : ctx.config.Positive("num_bins") - 1;
  const std::string mode = ctx.config.Text("output_mode", "int");
  GraphBuilder& b = ctx.builder;
  const OpId x = b.Convert(ctx.input(), DType::kF32);
  std::vector<Dim> dims = ctx.shape(x).dims;
  if (count < 1 || !b.ok()) {  // one bin
    return Encoded(ctx, FilledLike(b, b.Convert(x, DType::kS32), 0), 1, mode);
  }
  const OpId boundaries = ctx.RawVariable("bin_boundaries", {count}, false);
  const auto last = static_cast<int64_t>(dims.size());
  std::vector<int64_t> own(dims.size());
  std::iota(own.begin(), own.end(), 0);
  dims.push_back({count, false});
  const OpId passed = b.Compare(Comparison::kGe, b.Broadcast(x, dims, own),
                                b.Broadcast(b.Convert(boundaries, DType::kF32), dims, {last}));
  const OpId bins = b.Reduce(Reducer::kSum, b.Convert(passed, DType::kS32), {last});
  return Encoded(ctx, bins, count + 1, mode);
}

constexpr LayerEntry kPreprocessingLayers[] = {
    {"Rescaling", BuildRescaling},
    {"Normalization", BuildNormalization},
    {"Resizing", BuildResizing},
    {"CategoryEncoding", BuildCategoryEncoding, true},
    {"Discretization", BuildDiscretization, true},
    {"CenterCrop|RandomCrop", BuildCrop},
    {"RandomFlip", BuildFlip},
    {"RandomBrightness", BuildBrightness},
    {"RandomContrast", BuildContrast},
    {"Solarization", BuildSolarization},
    {"RandomRotation|RandomZoom|RandomTranslation", BuildRandomWarp},
};

}  // namespace

std::span<const LayerEntry> PreprocessingLayers() { return kPreprocessingLayers; }

}  // namespace tilewise
