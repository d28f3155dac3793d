// Detection and images.

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "library/box_selection.h"
#include "library/broadcast.h"

namespace tilewise::onnx {
namespace {

// Rows (batch, class, box) of `indices` [n * classes, kept].
OpId Rows(GraphBuilder& b, OpId indices, Dim n, int64_t classes, int64_t kept) {
  const Shape each(DType::kS32, {n, {classes, false}, {kept, false}});
  const Dim rows = {n.factor * classes * kept, n.per_batch};
  std::vector<OpId> columns = {b.Iota(each, 0), b.Iota(each, 1), indices};
  for (OpId& column : columns) column = b.Reshape(column, {rows, {1, false}});
  return b.Convert(b.Concatenate(columns, 1), DType::kS64);
}

// Returns how many boxes of a class may be selected: by its operand, or by the
// shape that the file states.
int64_t SelectedOf(NodeContext& ctx, const Shape& scores) {
  const int64_t boxes = scores.dims[2].factor;
  const int64_t sets = scores.dims[0].factor * scores.dims[1].factor;
  int64_t kept = boxes;
  if (const auto stated = ctx.StatedDims(0); stated && !stated->empty()) {
    const Dim rows = stated->front();
    const bool divides = rows.factor % sets == 0;
    if (divides && rows.per_batch == scores.dims[0].per_batch) {
      kept = rows.factor / sets;
    }
  }
  if (ctx.Has(2)) kept = ctx.KnownInt(2).value_or(kept);
  return std::clamp<int64_t>(kept, 1, boxes);
}

// The number that is selected is data.
void NonMaxSuppression(NodeContext& ctx) {
  const Shape scores = ctx.ShapeOf(1);  // [n, classes, boxes]
  const bool is_empty =
      std::ranges::any_of(scores.dims, [](const Dim& dim) { return dim.factor < 1; });
  if (scores.rank() != 3 || is_empty) {
    return ctx.Fail("found no scores of rank 3");
  }
  const int64_t kept = SelectedOf(ctx, scores);
  const Dim selected = {scores.dims[0].factor * scores.dims[1].factor * kept,
                        scores.dims[0].per_batch};
  const Shape made(DType::kS64, {selected, {3, false}});
  const int32_t loop = ctx.NewLoop();
  if (ctx.StatedDims(0).value_or(made.dims) != made.dims || loop == 0) {
    return ctx.SetOpaque(0, {DType::kS64, ctx.StatedDims(0).value_or(made.dims)});
  }
  GraphBuilder& b = ctx.builder();
  const int64_t classes = scores.dims[1].factor;
  const Dim sets = {scores.dims[0].factor * classes, scores.dims[0].per_batch};
  const Dim count = scores.dims[2], four = {4, false};
  const OpId each =
      b.Broadcast(ctx.Input(0), {scores.dims[0], scores.dims[1], count, four}, {0, 2, 3});
  const SelectedBoxes result =
      SelectBoxes(b, b.Reshape(each, {sets, count, four}), b.Reshape(ctx.Input(1), {sets, count}),
                  kept, ctx.loop(), loop);
  ctx.Set(0, Rows(b, result.indices, scores.dims[0], classes, kept));
}

// Columns [n, c * window, positions] summed into images of a given size.
void Col2Im(NodeContext& ctx) {
  const Shape columns = ctx.ShapeOf(0);
  const auto sizes = ctx.KnownInts(1);
  const auto window = ctx.KnownInts(2);
  if (!sizes || !window || columns.rank() != 3) {
    return ctx.Fail("found sizes that are not known");
  }
  if (!InWindowRange(ctx, *sizes) || !InWindowRange(ctx, *window)) return;
  int64_t elements = 1;
  for (const int64_t size : *window) {
    if (size < 1 || elements > (int64_t{1} << 31)) {
      return ctx.Fail(fmt::format("found window size {}", size));
    }
    elements *= size;
  }
  Shape images(columns.dtype, {columns.dims[0], {columns.dims[1].factor / elements, false}});
  for (const int64_t size : *sizes) images.dims.push_back({size, false});
  ctx.SetOpaque(0, std::move(images));
}

// Returns which of `size` positions are in each of `bins` parts of each region:
// pred[r, bins, size]. Regions go from column `first` of them to column `last`.
OpId InBins(GraphBuilder& b, OpId regions, std::array<int64_t, 2> ends, double scale, int64_t bins,
            int64_t size) {
  const Dim r = b.shape(regions).dims[0];
  const auto column = [&](int64_t i) {
    const OpId x = Squeezed(b, b.SliceDim(regions, 1, i, i + 1), {1});
    return b.Unary(OpKind::kRoundNearestAfz, WithScalar(b, OpKind::kMultiply, x, scale));
  };
  const OpId start = column(ends[0]);
  OpId length = b.Binary(OpKind::kSubtract, column(ends[1]), start);
  length = WithScalar(b, OpKind::kMaximum, WithScalar(b, OpKind::kAdd, length, 1), 1);
  length = WithScalar(b, OpKind::kMultiply, length, 1 / static_cast<double>(bins));
  const std::vector<Dim> parts = {r, {bins, false}};
  const OpId part = b.Iota({DType::kF32, parts}, 1);
  const auto edge = [&](OpKind rounding, OpId number) {
    const OpId from =
        b.Unary(rounding, b.Binary(OpKind::kMultiply, number, b.Broadcast(length, parts, {0})));
    return b.Binary(OpKind::kAdd, from, b.Broadcast(start, parts, {0}));
  };
  const OpId low = edge(OpKind::kFloor, part);
  const OpId high = edge(OpKind::kCeil, WithScalar(b, OpKind::kAdd, part, 1));
  const std::vector<Dim> dims = {r, {bins, false}, {size, false}};
  const OpId place = b.Iota({DType::kF32, dims}, 2);
  const OpId below = b.Compare(Comparison::kLt, place, b.Broadcast(high, dims, {0, 1}));
  return b.Binary(OpKind::kAnd, b.Compare(Comparison::kGe, place, b.Broadcast(low, dims, {0, 1})),
                  below);
}

// The size of a region is data, which no shape of XLA can be: all rows and then
// all columns of its image are looked at, those of other bins being masked.
void MaxRoiPool(NodeContext& ctx) {
  const Shape images = ctx.ShapeOf(0), given = ctx.ShapeOf(1);
  const std::vector<int64_t> pooled = ctx.Ints("pooled_shape");
  if (images.rank() != 4 || given.rank() != 2 || pooled.size() != 2 ||
      given.dims[1] != Dim{5, false} || images.dims[2].per_batch || images.dims[3].per_batch ||
      !InWindowRange(ctx, pooled) || std::min(pooled[0], pooled[1]) < 1) {
    return ctx.Fail("found regions that do not fit images of rank 4");
  }
  GraphBuilder& b = ctx.builder();
  const double scale = ctx.Float("spatial_scale", 1);
  const OpId regions = b.Convert(ctx.Input(1), DType::kF32);
  const OpId image_of = b.Convert(Squeezed(b, b.SliceDim(regions, 1, 0, 1), {1}), DType::kS32);
  const OpId x = b.Gather(ctx.Input(0), image_of);
  const Dim r = given.dims[0], c = images.dims[1], h = images.dims[2], w = images.dims[3];
  const Dim rows = {pooled[0], false}, columns = {pooled[1], false};
  const double lowest = -std::numeric_limits<float>::max();
  const auto largest = [&](OpId of, OpId mask, const std::vector<Dim>& dims,
                           const std::vector<int64_t>& of_dims,
                           const std::vector<int64_t>& mask_dims, int64_t along) {
    const OpId wide = b.Broadcast(of, dims, of_dims);
    const OpId none = FilledLike(b, wide, lowest);
    return b.Reduce(Reducer::kMax, b.Select(b.Broadcast(mask, dims, mask_dims), wide, none),
                    {along});
  };
  const OpId tall = largest(x, InBins(b, regions, {2, 4}, scale, pooled[0], h.factor),
                            {r, c, rows, h, w}, {0, 1, 3, 4}, {0, 2, 3}, 3);
  const OpId all = largest(tall, InBins(b, regions, {1, 3}, scale, pooled[1], w.factor),
                           {r, c, rows, columns, w}, {0, 1, 2, 4}, {0, 3, 4}, 4);
  // Nothing is in a bin outside of the image.
  const OpId zero = FilledLike(b, all, 0);
  ctx.Set(0, b.Select(CompareScalar(b, Comparison::kGt, all, lowest), all, zero));
}

constexpr OpEntry kDetectionOps[] = {
    {kStandard, "NonMaxSuppression", NonMaxSuppression},
    {kStandard, "Col2Im", Col2Im},
    {kStandard, "MaxRoiPool", MaxRoiPool},
};

}  // namespace

std::span<const OpEntry> DetectionOps() { return kDetectionOps; }

}  // namespace tilewise::onnx
