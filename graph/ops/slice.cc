// Slice: a part of each dim. A per-batch dim can only be kept whole: its size
// is not known yet.

#include <utility>

#include <fmt/format.h>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/ops/splats.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

// The size left of `dim` by [start, limit) at `stride`.
absl::StatusOr<Dim> SliceDim(Dim dim, int64_t start, int64_t limit, int64_t stride) {
  if (dim.per_batch) {
    if (start == 0 && limit == kWholeDim && stride == 1) return dim;
    return InvalidInput("found a slice of the batch dim, expected it to be kept whole");
  }
  if (start < 0 || limit <= start || limit > dim.factor) {
    return InvalidInput(
        fmt::format("slice [{}:{}] does not fit size {}", start, limit, dim.factor));
  }
  if (stride < 1) {
    return InvalidInput(fmt::format("found stride {}, expected 1 or more", stride));
  }
  return Dim{(limit - start - 1) / stride + 1, false};
}

ShapeOr SliceShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<SliceAttrs>();
  Shape shape = *operands[0];
  TW_RETURN_IF_ERROR(CheckPerDim("starts", attrs.starts.size(), shape.rank()));
  TW_RETURN_IF_ERROR(CheckPerDim("limits", attrs.limits.size(), shape.rank()));
  TW_RETURN_IF_ERROR(CheckPerDim("strides", attrs.strides.size(), shape.rank()));
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    TW_ASSIGN_OR_RETURN(
        shape.dims[i], SliceDim(shape.dims[i], attrs.starts[i], attrs.limits[i], attrs.strides[i]));
  }
  return shape;
}

Gradients SliceGradient(const GradientCall& call) {
  const auto& attrs = call.op.as<SliceAttrs>();
  const Shape from = call.shape(0);
  std::vector<int64_t> low = attrs.starts;
  std::vector<int64_t> high(from.dims.size(), 0);
  std::vector<int64_t> interior(from.dims.size(), 0);
  for (size_t i = 0; i < from.dims.size(); ++i) {
    const int64_t taken = call.op.shape.dims[i].factor;
    const int64_t end = low[i] + (taken - 1) * attrs.strides[i] + 1;
    high[i] = from.dims[i].factor - end;
    interior[i] = taken > 1 ? attrs.strides[i] - 1 : 0;
  }
  return {call.builder.Pad(call.dy, 0, std::move(low), std::move(high), std::move(interior))};
}

void LinkUncut(const LinkCall& call) {
  const auto& attrs = call.op.as<SliceAttrs>();
  for (int64_t dim = 0; dim < call.rank(); ++dim) {
    const bool is_whole = attrs.starts[dim] == 0 && attrs.strides[dim] == 1 &&
                          attrs.limits[dim] == call.shape(0).size(dim);
    if (is_whole) call.links.Link(0, dim, dim);
  }
}

constexpr auto kSliceFields =
    FieldsOf<SliceAttrs, &SliceAttrs::starts, &SliceAttrs::limits, &SliceAttrs::strides>(
        "starts", "limits", "strides");

}  // namespace

constexpr OpTraits op_traits::kSlice = {.operands = 1,
                                        .attributes = kSliceFields,
                                        .shape = SliceShape,
                                        .gradient = SliceGradient,
                                        .links = LinkUncut,
                                        .splat = MovedSplat};

}  // namespace tilewise
