// Detection and images.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "frontend/tensor/box_selection.h"

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

// As many boxes of a class as may be selected: by its operand, or by the shape
// that the file states.
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
  const bool is_empty = std::ranges::any_of(
      scores.dims, [](const Dim& dim) { return dim.factor < 1; });
  if (scores.rank() != 3 || is_empty) {
    return ctx.Fail("found no scores of rank 3");
  }
  const int64_t kept = SelectedOf(ctx, scores);
  const Dim selected = {scores.dims[0].factor * scores.dims[1].factor * kept,
                        scores.dims[0].per_batch};
  const Shape made(DType::kS64, {selected, {3, false}});
  const int32_t loop = ctx.NewLoop();
  if (ctx.StatedDims(0).value_or(made.dims) != made.dims || loop == 0) {
    return ctx.SetOpaque(0,
                         {DType::kS64, ctx.StatedDims(0).value_or(made.dims)});
  }
  GraphBuilder& b = ctx.builder();
  const int64_t classes = scores.dims[1].factor;
  const Dim sets = {scores.dims[0].factor * classes, scores.dims[0].per_batch};
  const Dim count = scores.dims[2], four = {4, false};
  const OpId each = b.Broadcast(
      ctx.Input(0), {scores.dims[0], scores.dims[1], count, four}, {0, 2, 3});
  const SelectedBoxes result = SelectBoxes(
      b, b.Reshape(each, {sets, count, four}),
      b.Reshape(ctx.Input(1), {sets, count}), kept, ctx.loop(), loop);
  ctx.Set(0, Rows(b, result.indices, scores.dims[0], classes, kept));
}

// Columns [n, c * window, places] summed into images of a given size.
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
  Shape images(columns.dtype,
               {columns.dims[0], {columns.dims[1].factor / elements, false}});
  for (const int64_t size : *sizes) images.dims.push_back({size, false});
  ctx.SetOpaque(0, std::move(images));
}

constexpr OpEntry kEntries[] = {
    {kStandard, "NonMaxSuppression", NonMaxSuppression},
    {kStandard, "Col2Im", Col2Im},
};

}  // namespace

std::span<const OpEntry> DetectionOps() { return kEntries; }

}  // namespace tilewise::onnx
