// Largest elements and means of windows, and their gradients.

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "frontend/tensorflow/ops/window_attributes.h"
#include "library/windows.h"

namespace tilewise::tf {
namespace {

// ksize and strides are attributes, or, in the V2 forms, operands from `first`
// on.
absl::StatusOr<Windows> PoolingWindows(const OpContext& ctx, const Shape& x, int64_t first) {
  std::vector<int64_t> sizes = ctx.Ints("ksize");
  std::vector<int64_t> strides = ctx.Ints("strides");
  if (sizes.empty()) {
    TW_ASSIGN_OR_RETURN(sizes, KnownList(ctx, first, "ksize"));
    TW_ASSIGN_OR_RETURN(strides, KnownList(ctx, first + 1, "strides"));
  }
  TW_ASSIGN_OR_RETURN(const bool channels_first, ChannelsFirst(ctx));
  TW_ASSIGN_OR_RETURN(sizes, SpatialNumbers(sizes, x.rank(), channels_first));
  TW_ASSIGN_OR_RETURN(strides, SpatialNumbers(strides, x.rank(), channels_first));
  return MakeWindows(ctx, x, sizes, strides, std::vector<int64_t>(sizes.size(), 1));
}

absl::Status MaxPool(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  TW_ASSIGN_OR_RETURN(const Windows windows, PoolingWindows(ctx, b.shape(x), 1));
  return ctx.Result(b.ReduceWindow(Reducer::kMax, x, windows.dims, windows.channels_first));
}

// Result 1, where the largest elements are, has no arithmetic here.
absl::Status MaxPoolWithArgmax(OpContext& ctx) {
  TW_RETURN_IF_ERROR(MaxPool(ctx));
  const OpId y = ctx.results()[0].op;
  if (y == kNoOp) return ctx.builder().TakeStatus();
  Shape places = ctx.builder().shape(y);
  places.dtype = TypeOr(ctx, "Targmax", DType::kS64);
  return OpaqueResult(ctx, 1, places);
}

// Operands: x, y, dy.
absl::Status MaxPoolGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId dy, Tensor(ctx, 2));
  GraphBuilder& b = ctx.builder();
  TW_ASSIGN_OR_RETURN(const Windows windows, PoolingWindows(ctx, b.shape(x), 3));
  return ctx.Result(b.SelectAndScatter(x, dy, windows.dims, windows.channels_first));
}

absl::Status AvgPool(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  TW_ASSIGN_OR_RETURN(const Windows windows, PoolingWindows(ctx, b.shape(x), 1));
  return ctx.Result(AveragePool(b, x, windows.dims, windows.channels_first,
                                /*count_padding=*/false));
}

// The windows over dy, set apart by the stride, whose sums are the gradients of
// the elements of x.
std::vector<WindowDim> BackwardWindows(const Windows& windows, const Shape& x, const Shape& dy) {
  const size_t first = FirstSpatialDim(windows.channels_first);
  std::vector<WindowDim> dims;
  for (size_t i = 0; i < windows.dims.size(); ++i) {
    const WindowDim& forward = windows.dims[i];
    WindowDim dim;
    dim.size = forward.size;
    dim.base_dilation = forward.stride;
    dim.pad_low = forward.size - 1 - forward.pad_low;
    const int64_t apart = (dy.dims[first + i].factor - 1) * forward.stride + 1;
    dim.pad_high = x.dims[first + i].factor + forward.size - 1 - apart - dim.pad_low;
    dims.push_back(dim);
  }
  return dims;
}

// Operands: the dims of x, dy.
absl::Status AvgPoolGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId dy, Tensor(ctx, 1));
  GraphBuilder& b = ctx.builder();
  const Shape gradient = b.shape(dy);
  TW_ASSIGN_OR_RETURN(auto dims, KnownSizes(ctx, 0, "orig_input_shape"));
  if (dims.size() != gradient.dims.size() || dims.empty()) {
    return InvalidInput(fmt::format("found {} sizes for {}", dims.size(), FormatShape(gradient)));
  }
  dims[0] = gradient.dims[0];
  const Shape x(gradient.dtype, dims);
  TW_ASSIGN_OR_RETURN(const Windows windows, PoolingWindows(ctx, x, 2));
  const OpId shares = b.Binary(OpKind::kDivide, dy,
                               WindowCounts(b, x, windows.dims, windows.channels_first, gradient));
  return ctx.Result(b.ReduceWindow(Reducer::kSum, shares, BackwardWindows(windows, x, gradient),
                                   windows.channels_first));
}

constexpr OpEntry kPoolingOps[] = {
    {"AvgPool", AvgPool},
    {"AvgPool3D", AvgPool},
    {"AvgPool3DGrad", AvgPoolGrad},
    {"AvgPoolGrad", AvgPoolGrad},
    {"MaxPool", MaxPool},
    {"MaxPool3D", MaxPool},
    {"MaxPool3DGrad", MaxPoolGrad},
    {"MaxPoolGrad", MaxPoolGrad},
    {"MaxPoolGradV2", MaxPoolGrad},
    {"MaxPoolV2", MaxPool},
    {"MaxPoolWithArgmax", MaxPoolWithArgmax},
};

}  // namespace

std::span<const OpEntry> PoolingOps() { return kPoolingOps; }

}  // namespace tilewise::tf
