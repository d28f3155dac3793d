// Pooling and the gradient of max pooling. The gradient of a window sum spreads
// each result over its window, which is again a window sum, of the results set
// apart by the stride.

#include <algorithm>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/ops/window.h"

namespace tilewise {
namespace {

ShapeOr ReduceWindowShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<PoolAttrs>();
  TW_RETURN_IF_ERROR(CheckReducer(attrs.reducer, operands, 0));
  return WindowedShape(attrs, *operands[0]);
}

ShapeOr SelectAndScatterShape(const Op& op, Shapes operands) {
  for (const WindowDim& dim : op.as<PoolAttrs>().window) {
    if (dim.base_dilation == 1) continue;
    return InvalidInput(fmt::format("found base dilation {}, expected none", dim.base_dilation));
  }
  TW_ASSIGN_OR_RETURN(const Shape windowed, WindowedShape(op.as<PoolAttrs>(), *operands[0]));
  TW_RETURN_IF_ERROR(CheckSame(operands, 1, windowed));
  return *operands[0];
}

// How one spatial dim of dy is set apart and padded so that the window sum of
// stride 1 has, from `skip` on, one element for each element of x.
struct SetApart {
  int64_t low = 0;
  int64_t high = 0;
  int64_t skip = 0;
};

// Element i of x, set apart by its base dilation, lies under windows that start
// at i + pad_low - k * dilation.
SetApart SetDimApart(const WindowDim& window, int64_t x_size, int64_t dy_size) {
  const int64_t reach = (window.size - 1) * window.dilation;
  const int64_t apart = (dy_size - 1) * window.stride + 1;
  const int64_t wanted_low = reach - window.pad_low;
  SetApart result;
  result.low = std::max<int64_t>(wanted_low, 0);
  result.skip = result.low - wanted_low;
  result.high = std::max<int64_t>(result.skip + x_size + reach - result.low - apart, 0);
  return result;
}

Gradients WindowSumGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const auto& attrs = call.op.as<PoolAttrs>();
  const Shape x = call.shape(0);
  const auto rank = x.dims.size();
  std::vector<int64_t> starts(rank, 0), limits = x.sizes(), strides(rank, 1);
  std::vector<WindowDim> window = attrs.window;
  for (size_t i = 0; i < window.size(); ++i) {
    const size_t dim = FirstSpatialDim(attrs) + i;
    const int64_t dy_size = call.op.shape.dims[dim].factor;
    const int64_t base = window[i].base_dilation;
    const int64_t x_size = (x.dims[dim].factor - 1) * base + 1;
    const SetApart dim_apart = SetDimApart(window[i], x_size, dy_size);
    starts[dim] = dim_apart.skip;
    limits[dim] = dim_apart.skip + x_size;
    strides[dim] = base;
    // XLA folds the padding of dy into the window in the same way.
    window[i] = {.size = window[i].size,
                 .pad_low = dim_apart.low,
                 .pad_high = dim_apart.high,
                 .dilation = window[i].dilation,
                 .base_dilation = dy_size > 1 ? window[i].stride : 1};
  }
  const OpId sums = b.ReduceWindow(Reducer::kSum, call.dy, std::move(window), attrs.channels_first);
  return {b.Slice(sums, std::move(starts), std::move(limits), std::move(strides))};
}

Gradients WindowMaxGradient(const GradientCall& call) {
  const auto& attrs = call.op.as<PoolAttrs>();
  return {
      call.builder.SelectAndScatter(call.operand(0), call.dy, attrs.window, attrs.channels_first)};
}

// The minimum is won where -x is largest.
Gradients WindowMinGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const auto& attrs = call.op.as<PoolAttrs>();
  const OpId negated = b.Unary(OpKind::kNegate, call.operand(0));
  return {b.SelectAndScatter(negated, call.dy, attrs.window, attrs.channels_first)};
}

Gradients WindowGradient(const GradientCall& call) {
  switch (call.op.as<PoolAttrs>().reducer) {
    case Reducer::kMax:
      return WindowMaxGradient(call);
    case Reducer::kMin:
      return WindowMinGradient(call);
    default:
      return WindowSumGradient(call);
  }
}

bool IsSumOrPlainExtremum(const Op& op) {
  const auto& attrs = op.as<PoolAttrs>();
  const Reducer reducer = attrs.reducer;
  if (reducer == Reducer::kSum) return true;
  const bool is_plain = std::all_of(attrs.window.begin(), attrs.window.end(),
                                    [](const WindowDim& dim) { return dim.base_dilation == 1; });
  return is_plain && (reducer == Reducer::kMax || reducer == Reducer::kMin);
}

void LinkBatchAndFeature(const LinkCall& call, std::initializer_list<size_t> operands) {
  for (const int64_t dim : {int64_t{0}, WindowFeatureDim(call.op.as<PoolAttrs>())}) {
    call.links.AddResult(dim);
    for (const size_t operand : operands) call.links.Add(operand, dim);
    call.links.Close();
  }
}

void LinkPooled(const LinkCall& call) { LinkBatchAndFeature(call, {0}); }

void LinkScattered(const LinkCall& call) { LinkBatchAndFeature(call, {0, 1}); }

constexpr auto kPoolFields =
    FieldsOf<PoolAttrs, &PoolAttrs::window, &PoolAttrs::channels_first, &PoolAttrs::reducer>(
        "window", "channels_first", "reducer");

}  // namespace

constexpr OpTraits op_traits::kReduceWindow = {.operands = 1,
                                               .attributes = kPoolFields,
                                               .shape = ReduceWindowShape,
                                               .gradient = WindowGradient,
                                               .has_gradient = IsSumOrPlainExtremum,
                                               .links = LinkPooled};
constexpr OpTraits op_traits::kSelectAndScatter = {.operands = 2,
                                                   .attributes = kPoolFields,
                                                   .shape = SelectAndScatterShape,
                                                   .links = LinkScattered};

}  // namespace tilewise
