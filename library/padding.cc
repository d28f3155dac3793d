// Pads: constants by the pad op, other modes by joining slices of the operand.

#include <algorithm>

#include <fmt/format.h>

#include "library/rearrange.h"

namespace tilewise {
namespace {

// Indices [begin, end) along `dim`, the last first.
OpId Mirrored(GraphBuilder& builder, OpId x, int64_t dim, int64_t begin, int64_t end) {
  return builder.Reverse(builder.SliceDim(x, dim, begin, end), {dim});
}

OpId RepeatedEdge(GraphBuilder& builder, OpId x, int64_t dim, int64_t at, int64_t count) {
  const OpId edge = builder.SliceDim(x, dim, at, at + 1);
  std::vector<Dim> dims = builder.shape(edge).dims;
  dims[dim] = {count, false};
  return builder.BroadcastTo(edge, dims);
}

// `count` elements in front of x (or behind it), by a mode that copies.
OpId Margin(GraphBuilder& builder, OpId x, PadMode mode, int64_t dim, int64_t count,
            bool in_front) {
  const int64_t size = builder.shape(x).dims[dim].factor;
  switch (mode) {
    case PadMode::kReflect:
      return in_front ? Mirrored(builder, x, dim, 1, count + 1)
                      : Mirrored(builder, x, dim, size - 1 - count, size - 1);
    case PadMode::kSymmetric:
      return in_front ? Mirrored(builder, x, dim, 0, count)
                      : Mirrored(builder, x, dim, size - count, size);
    case PadMode::kWrap:
      return in_front ? builder.SliceDim(x, dim, size - count, size)
                      : builder.SliceDim(x, dim, 0, count);
    default:
      return RepeatedEdge(builder, x, dim, in_front ? 0 : size - 1, count);
  }
}

OpId Copied(GraphBuilder& builder, OpId x, PadMode mode, int64_t dim, int64_t low, int64_t high) {
  std::vector<OpId> parts;
  if (low > 0) parts.push_back(Margin(builder, x, mode, dim, low, true));
  parts.push_back(x);
  if (high > 0) parts.push_back(Margin(builder, x, mode, dim, high, false));
  if (parts.size() == 1) return x;
  return builder.Concatenate(parts, dim);
}

}  // namespace

OpId PadWith(GraphBuilder& builder, OpId x, PadMode mode, double value,
             const std::vector<int64_t>& low, const std::vector<int64_t>& high) {
  const Shape shape = builder.shape(x);
  if (low.size() != shape.dims.size() || high.size() != shape.dims.size()) {
    builder.Fail(fmt::format("found {} and {} amounts of padding for {}", low.size(), high.size(),
                             FormatShape(shape)));
    return kNoOp;
  }
  // What is removed first, then what is added.
  std::vector<int64_t> more_low = low;
  std::vector<int64_t> more_high = high;
  std::vector<SliceRange> removed;
  for (size_t i = 0; i < low.size(); ++i) {
    more_low[i] = std::max<int64_t>(low[i], 0);
    more_high[i] = std::max<int64_t>(high[i], 0);
    if (low[i] >= 0 && high[i] >= 0) continue;
    const int64_t size = shape.dims[i].factor;
    removed.push_back({static_cast<int64_t>(i), std::min(more_low[i] - low[i], size),
                       size + std::max(high[i] - more_high[i], -size)});
  }
  x = SliceRanges(builder, x, removed);
  const auto positive = [](int64_t amount) { return amount > 0; };
  if (std::none_of(more_low.begin(), more_low.end(), positive) &&
      std::none_of(more_high.begin(), more_high.end(), positive)) {
    return x;
  }
  if (mode == PadMode::kConstant) {
    const std::vector<int64_t> interior(low.size(), 0);
    return builder.Pad(x, value, more_low, more_high, interior);
  }
  for (size_t i = 0; i < low.size() && builder.ok(); ++i) {
    x = Copied(builder, x, mode, static_cast<int64_t>(i), more_low[i], more_high[i]);
  }
  return x;
}

}  // namespace tilewise
