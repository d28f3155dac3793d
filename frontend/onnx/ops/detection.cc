// Detection and images: opaque ops whose shapes follow from their operands.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"

namespace tilewise::onnx {
namespace {

// As many boxes as may be selected: the number that is, is data.
void NonMaxSuppression(NodeContext& ctx) {
  const Shape scores = ctx.ShapeOf(1);  // [n, classes, boxes]
  if (scores.rank() != 3) return ctx.Fail("found no scores of rank 3");
  const int64_t boxes = scores.dims[2].factor;
  const int64_t kept = std::clamp<int64_t>(
      ctx.Has(2) ? ctx.KnownInt(2).value_or(boxes) : boxes, 1, boxes);
  const Dim selected = {scores.dims[0].factor * scores.dims[1].factor * kept,
                        scores.dims[0].per_batch};
  ctx.SetOpaque(0, {DType::kS64, ctx.StatedDims(0).value_or(
                                     std::vector<Dim>{selected, {3, false}})});
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
