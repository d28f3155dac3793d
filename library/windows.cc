// The graph states all padding explicitly, so the rules end here.

#include "library/windows.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "library/broadcast.h"
#include "library/reductions.h"

namespace tilewise {
namespace {

int64_t Extent(const WindowDim& window) { return (window.size - 1) * window.dilation + 1; }

bool HasPadding(const std::vector<WindowDim>& window) {
  return std::any_of(window.begin(), window.end(),
                     [](const WindowDim& dim) { return dim.pad_low != 0 || dim.pad_high != 0; });
}

OpId Power(GraphBuilder& builder, OpId x, double exponent) {
  if (exponent == 1) return x;
  if (exponent == 2) return builder.Binary(OpKind::kMultiply, x, x);
  if (exponent == 0.5) return builder.Unary(OpKind::kSqrt, x);
  return WithScalar(builder, OpKind::kPower, x, exponent);
}

}  // namespace

void PadSame(WindowDim& window, int64_t size, bool odd_low) {
  const int64_t count = (size - 1) / window.stride + 1;
  const int64_t total = std::max<int64_t>((count - 1) * window.stride + Extent(window) - size, 0);
  window.pad_low = odd_low ? total - total / 2 : total / 2;
  window.pad_high = total - window.pad_low;
}

int64_t PadForCeil(WindowDim& window, int64_t size) {
  const int64_t room = size + window.pad_low + window.pad_high - Extent(window);
  if (room < 0) return 0;
  int64_t count = (room + window.stride - 1) / window.stride + 1;
  if ((count - 1) * window.stride >= size + window.pad_low) --count;
  const int64_t extra = std::max<int64_t>((count - 1) * window.stride - room, 0);
  window.pad_high += extra;
  return extra;
}

int64_t WindowCount(const WindowDim& window, int64_t size) {
  const int64_t room = size + window.pad_low + window.pad_high - Extent(window);
  return room < 0 ? 0 : room / window.stride + 1;
}

int64_t FirstSpatialDim(bool channels_first) { return channels_first ? 2 : 1; }

int64_t FeatureDimOf(bool channels_first, int64_t rank) { return channels_first ? 1 : rank - 1; }

std::vector<int64_t> SpatialDims(bool channels_first, int64_t rank) {
  std::vector<int64_t> dims(std::max<int64_t>(rank - 2, 0));
  std::iota(dims.begin(), dims.end(), FirstSpatialDim(channels_first));
  return dims;
}

std::vector<int64_t> SpatialSizes(GraphBuilder& builder, OpId x, bool channels_first) {
  std::vector<int64_t> sizes;
  const Shape& shape = builder.shape(x);
  for (const int64_t dim : SpatialDims(channels_first, shape.rank())) {
    const Dim& size = shape.dims[dim];
    if (size.per_batch) {
      builder.Fail(
          fmt::format("found {}, expected spatial dims that do not "
                      "depend on the batch",
                      FormatShape(shape)));
    }
    sizes.push_back(size.factor);
  }
  return sizes;
}

OpId WindowCounts(GraphBuilder& builder, const Shape& x, const std::vector<WindowDim>& window,
                  bool channels_first, const Shape& pooled) {
  Shape ones = x.WithType(pooled.dtype);
  if (!builder.ok() || ones.rank() < 2) return kNoOp;
  ones.dims[0] = {1, false};
  ones.dims[FeatureDimOf(channels_first, x.rank())] = {1, false};
  const OpId counts =
      builder.ReduceWindow(Reducer::kSum, builder.Constant(1, ones), window, channels_first);
  return builder.BroadcastTo(counts, pooled.dims);
}

OpId AveragePool(GraphBuilder& builder, OpId x, const std::vector<WindowDim>& window,
                 bool channels_first, bool count_padding, const std::vector<int64_t>& ceil_extra) {
  const OpId sum = builder.ReduceWindow(Reducer::kSum, x, window, channels_first);
  const bool partial =
      std::any_of(ceil_extra.begin(), ceil_extra.end(), [](int64_t extra) { return extra > 0; });
  if (!HasPadding(window) || (count_padding && !partial)) {
    double count = 1;
    for (const WindowDim& dim : window) count *= static_cast<double>(dim.size);
    return WithScalar(builder, OpKind::kMultiply, sum, 1 / count);
  }
  Shape counted = builder.shape(x);
  std::vector<WindowDim> counting = window;
  if (count_padding) {
    // The padding is there to be counted, but for what is beyond it.
    const size_t first = FirstSpatialDim(channels_first);
    for (size_t i = 0; i < counting.size(); ++i) {
      const int64_t extra = i < ceil_extra.size() ? ceil_extra[i] : 0;
      counted.dims[first + i].factor += counting[i].pad_low + counting[i].pad_high - extra;
      counting[i].pad_low = 0;
      counting[i].pad_high = extra;
    }
  }
  return builder.Binary(
      OpKind::kDivide, sum,
      WindowCounts(builder, counted, counting, channels_first, builder.shape(sum)));
}

OpId LpPool(GraphBuilder& builder, OpId x, const std::vector<WindowDim>& window,
            bool channels_first, double p) {
  const OpId powers = Power(builder, builder.Unary(OpKind::kAbs, x), p);
  const OpId sum = builder.ReduceWindow(Reducer::kSum, powers, window, channels_first);
  return Power(builder, sum, 1 / p);
}

OpId GlobalMaxPool(GraphBuilder& builder, OpId x, bool channels_first) {
  return ReduceOf(builder, Reduction::kMax, x, SpatialDims(channels_first, builder.shape(x).rank()),
                  true);
}

OpId GlobalAveragePool(GraphBuilder& builder, OpId x, bool channels_first) {
  return ReduceOf(builder, Reduction::kMean, x,
                  SpatialDims(channels_first, builder.shape(x).rank()), true);
}

OpId GlobalLpPool(GraphBuilder& builder, OpId x, bool channels_first, double p) {
  const OpId powers = Power(builder, builder.Unary(OpKind::kAbs, x), p);
  const OpId sum = ReduceOf(builder, Reduction::kSum, powers,
                            SpatialDims(channels_first, builder.shape(x).rank()), true);
  return Power(builder, sum, 1 / p);
}

TransposedWindow Transposed(const WindowDim& window, int64_t size, int64_t extra) {
  return {window,
          (size - 1) * window.stride + Extent(window) + extra - window.pad_low - window.pad_high};
}

}  // namespace tilewise
