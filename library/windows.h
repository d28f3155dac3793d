// Windows of convolutions and pools: the padding rules of the frameworks, and
// pools that are more than one reduce-window.

#pragma once

#include <vector>

#include "graph/graph_builder.h"

namespace tilewise {

// Sets the padding so that there are ceil(size / stride) windows; what is odd
// goes to the high end, or to the low one.
void PadSame(WindowDim& window, int64_t size, bool odd_low = false);
// Adds padding at the high end so that a last, partial window counts too,
// unless it would start in the padding. Returns what was added.
int64_t PadForCeil(WindowDim& window, int64_t size);
// Windows that fit in `size`; 0 when none does.
int64_t WindowCount(const WindowDim& window, int64_t size);

int64_t FirstSpatialDim(bool channels_first);
int64_t FeatureDimOf(bool channels_first, int64_t rank);
std::vector<int64_t> SpatialDims(bool channels_first, int64_t rank);
// Sizes of the spatial dims; fails when one depends on the batch.
std::vector<int64_t> SpatialSizes(GraphBuilder& builder, OpId x, bool channels_first);

// How many elements of `x` each window holds, stretched to `pooled`.
OpId WindowCounts(GraphBuilder& builder, const Shape& x, const std::vector<WindowDim>& window,
                  bool channels_first, const Shape& pooled);
// Means over windows. With `count_padding`, padding counts as zeros, but for
// the last `ceil_extra` of each dim (empty: none).
OpId AveragePool(GraphBuilder& builder, OpId x, const std::vector<WindowDim>& window,
                 bool channels_first, bool count_padding,
                 const std::vector<int64_t>& ceil_extra = {});
// (sum |x|^p)^(1/p) over windows.
OpId LpPool(GraphBuilder& builder, OpId x, const std::vector<WindowDim>& window,
            bool channels_first, double p);
// These pool over all spatial dims, which stay with size 1.
OpId GlobalMaxPool(GraphBuilder& builder, OpId x, bool channels_first);
OpId GlobalAveragePool(GraphBuilder& builder, OpId x, bool channels_first);
OpId GlobalLpPool(GraphBuilder& builder, OpId x, bool channels_first, double p);

// The convolution whose input gradient a transposed convolution is, and the
// size of the latter's result.
struct TransposedWindow {
  WindowDim forward;
  int64_t output = 0;
};
// `size` of the operand, `window` with the paddings of the forward convolution;
// `extra` is added at the high end of the result.
TransposedWindow Transposed(const WindowDim& window, int64_t size, int64_t extra);

}  // namespace tilewise
