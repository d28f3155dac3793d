// Gradients of pooling. A window sum spreads each result over its window,
// which is again a window sum, of the results set apart by the stride.

#include <algorithm>
#include <utility>

#include "graph/gradients/gradient.h"

namespace tilewise {
namespace {

size_t FirstSpatialDim(const Attributes& attrs) {
  return attrs.channels_first ? 2 : 1;
}

// How one spatial dim of dy is set apart and padded so that the window sum of
// stride 1 has, from `skip` on, one element for each element of x.
struct Spread {
  int64_t low = 0;
  int64_t high = 0;
  int64_t skip = 0;
};

// Element i of x, set apart by its base dilation, lies under windows that start
// at i + pad_low - k * dilation.
Spread SpreadDim(const WindowDim& window, int64_t x_size, int64_t dy_size) {
  const int64_t reach = (window.size - 1) * window.dilation;
  const int64_t apart = (dy_size - 1) * window.stride + 1;
  const int64_t wanted_low = reach - window.pad_low;
  Spread spread;
  spread.low = std::max<int64_t>(wanted_low, 0);
  spread.skip = spread.low - wanted_low;
  spread.high =
      std::max<int64_t>(spread.skip + x_size + reach - spread.low - apart, 0);
  return spread;
}

}  // namespace

Gradients WindowSumGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const Attributes& attrs = call.op.attrs;
  const Shape x = call.shape(0);
  const auto rank = x.dims.size();
  std::vector<int64_t> starts(rank, 0), limits = x.sizes(), strides(rank, 1);
  std::vector<WindowDim> window = attrs.window;
  for (size_t i = 0; i < window.size(); ++i) {
    const size_t dim = FirstSpatialDim(attrs) + i;
    const int64_t dy_size = call.op.shape.dims[dim].factor;
    const int64_t base = window[i].base_dilation;
    const int64_t x_size = (x.dims[dim].factor - 1) * base + 1;
    const Spread spread = SpreadDim(window[i], x_size, dy_size);
    starts[dim] = spread.skip;
    limits[dim] = spread.skip + x_size;
    strides[dim] = base;
    // XLA folds the padding of dy into the window in the same way.
    window[i] = {.size = window[i].size,
                 .pad_low = spread.low,
                 .pad_high = spread.high,
                 .dilation = window[i].dilation,
                 .base_dilation = dy_size > 1 ? window[i].stride : 1};
  }
  const OpId sums = b.ReduceWindow(Reducer::kSum, call.dy, std::move(window),
                                   attrs.channels_first);
  return {
      b.Slice(sums, std::move(starts), std::move(limits), std::move(strides))};
}

Gradients WindowMaxGradient(const GradientCall& call) {
  const Attributes& attrs = call.op.attrs;
  return {call.builder.SelectAndScatter(call.operand(0), call.dy, attrs.window,
                                        attrs.channels_first)};
}

// The minimum is won where -x is largest.
Gradients WindowMinGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const Attributes& attrs = call.op.attrs;
  const OpId negated = b.Unary(OpKind::kNegate, call.operand(0));
  return {
      b.SelectAndScatter(negated, call.dy, attrs.window, attrs.channels_first)};
}

}  // namespace tilewise
