// Convolutions of every rank, transposed ones, and the fused form of ONNX
// Runtime.

#include "frontend/onnx/ops/convolution.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "library/broadcast.h"
#include "library/gather.h"
#include "library/windows.h"

namespace tilewise::onnx {
namespace {

int64_t At(const std::vector<int64_t>& list, size_t i, int64_t fallback) {
  return i < list.size() ? list[i] : fallback;
}

OpId WithBias(NodeContext& ctx, OpId y, size_t bias) {
  if (!ctx.Has(bias) || !ctx.ok()) return y;
  GraphBuilder& b = ctx.builder();
  return b.Binary(OpKind::kAdd, y, AlongDim(b, ctx.Input(bias), y, 1));
}

// The first exporters wrote lists of two dims for windows of one: the last
// `dims` of each half.
std::vector<int64_t> LastOf(const std::vector<int64_t>& list, size_t halves, size_t dims) {
  if (list.size() <= halves * dims || list.size() % halves != 0) return list;
  std::vector<int64_t> last;
  const size_t half = list.size() / halves;
  for (size_t h = 1; h <= halves; ++h) {
    const auto end = list.begin() + static_cast<std::ptrdiff_t>(h * half);
    last.insert(last.end(), end - static_cast<std::ptrdiff_t>(dims), end);
  }
  return last;
}

void Conv(NodeContext& ctx) {
  const int64_t rank = ctx.ShapeOf(1).rank();
  const OpId x = ctx.Input(0);
  const OpId kernel = ctx.WeightInput(1, {-1, KernelOrder(rank)});
  ctx.Set(0, WithBias(ctx, Convolved(ctx, x, kernel), 2));
}

void FusedConv(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const int64_t rank = ctx.ShapeOf(1).rank();
  const OpId x = ctx.Input(0);
  OpId y = Convolved(ctx, x, ctx.WeightInput(1, {-1, KernelOrder(rank)}));
  y = WithBias(ctx, y, 2);
  if (ctx.Has(3)) y = BinaryOf(b, OpKind::kAdd, y, ctx.Input(3));
  ctx.Set(0, Activated(ctx, y, ctx.Text("activation", ""), ctx.Floats("activation_params")));
}

// Padding of a transposed convolution that gives the wanted output size.
void PadFor(const std::string_view auto_pad, WindowDim& window, int64_t size, int64_t extra,
            std::optional<int64_t> wanted) {
  const int64_t whole =
      (size - 1) * window.stride + extra + (window.size - 1) * window.dilation + 1;
  int64_t total = 0;
  if (wanted) {
    total = whole - *wanted;
  } else if (auto_pad.starts_with("SAME")) {
    total = whole - size * window.stride;
  } else {
    return;
  }
  total = std::max<int64_t>(total, 0);
  const bool more_low = auto_pad == "SAME_LOWER";
  window.pad_low = more_low ? total - total / 2 : total / 2;
  window.pad_high = total - window.pad_low;
}

void ConvTranspose(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const Shape weights = ctx.ShapeOf(1);
  const int64_t rank = weights.rank();
  const OpId x = ctx.Input(0);
  if (!ctx.ok() || rank < 3 || b.shape(x).rank() != rank) {
    return ctx.Fail("found operands of different ranks, expected 3 or more");
  }
  const std::vector<int64_t> sizes = ctx.Ints("kernel_shape");
  const std::vector<int64_t> extra = ctx.Ints("output_padding");
  const std::vector<int64_t> wanted = ctx.Ints("output_shape");
  const std::vector<int64_t> strides = ctx.Ints("strides");
  const std::vector<int64_t> dilations = ctx.Ints("dilations");
  const std::vector<int64_t> pads = ctx.Ints("pads");
  for (const auto* list : {&sizes, &extra, &wanted, &strides, &dilations, &pads}) {
    if (!InWindowRange(ctx, *list)) return;
  }
  const std::string_view auto_pad = ctx.Text("auto_pad", "NOTSET");
  const int64_t groups = ctx.Int("group", 1);
  const size_t spatial = rank - 2;
  Shape result = b.shape(x);
  ConvAttrs forward;
  forward.channels_first = true;
  forward.groups = groups;
  for (size_t i = 0; i < spatial; ++i) {
    WindowDim window;
    window.size = At(sizes, i, weights.dims[i + 2].factor);
    window.stride = At(strides, i, 1);
    window.dilation = At(dilations, i, 1);
    window.pad_low = At(pads, i, 0);
    window.pad_high = At(pads, spatial + i, 0);
    const int64_t size = result.dims[i + 2].factor;
    if (!InWindowRange(ctx, {size, window.size})) return;
    const bool given = wanted.size() == spatial || wanted.size() == spatial + 2;
    PadFor(auto_pad, window, size, At(extra, i, 0),
           given ? std::optional<int64_t>(wanted[wanted.size() - spatial + i]) : std::nullopt);
    const TransposedWindow transposed = Transposed(window, size, At(extra, i, 0));
    result.dims[i + 2].factor = transposed.output;
    forward.window.push_back(transposed.forward);
  }
  if (groups < 1 || groups > (int64_t{1} << 31) || weights.dims[1].per_batch) {
    return ctx.Fail(fmt::format("found {} groups", groups));
  }
  result.dims[1] = {weights.dims[1].factor * groups, false};
  // [in, out/groups, spatial..] is the kernel of the convolution from the
  // result to the operand.
  const OpId kernel = ctx.WeightInput(1, {-1, KernelOrder(rank)});
  const OpId y = b.ConvInputGrad(x, b.Convert(kernel, result.dtype), result, forward);
  ctx.Set(0, WithBias(ctx, y, 2));
}

// Samples at offsets that are data, then a matmul: opaque, as the gathers
// dominate and depend on the offsets.
void DeformConv(NodeContext& ctx) {
  const Shape offsets = ctx.ShapeOf(2);
  const Shape weights = ctx.ShapeOf(1);
  Shape y = ctx.ShapeOf(0);
  if (offsets.rank() != y.rank() || weights.rank() != y.rank()) {
    return ctx.Fail("found operands of different ranks");
  }
  y.dims[1] = weights.dims[0];
  for (size_t i = 2; i < y.dims.size(); ++i) y.dims[i] = offsets.dims[i];
  ctx.SetOpaque(0, std::move(y));
}

constexpr OpEntry kConvolutionOps[] = {
    {kStandard, "Conv", Conv},
    {kStandard, "ConvTranspose", ConvTranspose},
    {kStandard, "DeformConv", DeformConv},
    {kMicrosoft, "FusedConv", FusedConv},
};

}  // namespace

std::vector<int64_t> KernelOrder(int64_t rank) {
  std::vector<int64_t> order;
  for (int64_t dim = 2; dim < rank; ++dim) order.push_back(dim);
  order.push_back(1);
  order.push_back(0);
  return order;
}

WindowSpec WindowOf(NodeContext& ctx, const std::vector<int64_t>& sizes,
                    const std::vector<int64_t>& spatial) {
  const size_t count = sizes.size();
  const std::vector<int64_t> strides = LastOf(ctx.Ints("strides"), 1, count);
  const std::vector<int64_t> dilations = LastOf(ctx.Ints("dilations"), 1, count);
  const std::vector<int64_t> pads = LastOf(ctx.Ints("pads"), 2, count);
  const std::string_view auto_pad = ctx.Text("auto_pad", "NOTSET");
  const bool ceil = ctx.Int("ceil_mode", 0) != 0;
  WindowSpec spec;
  for (const auto* list : {&sizes, &strides, &dilations, &pads}) {
    if (!InWindowRange(ctx, *list)) return spec;
  }
  if (sizes.size() != spatial.size()) {
    ctx.Fail(fmt::format("found a window of {} dims over {} dims", sizes.size(), spatial.size()));
    return spec;
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    WindowDim window;
    window.size = sizes[i];
    window.stride = At(strides, i, 1);
    window.dilation = At(dilations, i, 1);
    if (window.size < 1 || window.stride < 1 || window.dilation < 1) {
      ctx.Fail(fmt::format("found window {}, stride {}, dilation {}", window.size, window.stride,
                           window.dilation));
      return spec;
    }
    window.pad_low = At(pads, i, 0);
    window.pad_high = At(pads, sizes.size() + i, 0);
    if (auto_pad.starts_with("SAME")) {
      PadSame(window, spatial[i], auto_pad == "SAME_LOWER");
    } else if (auto_pad == "VALID") {
      window.pad_low = 0;
      window.pad_high = 0;
    }
    spec.ceil_extra.push_back(ceil ? PadForCeil(window, spatial[i]) : 0);
    spec.dims.push_back(window);
  }
  return spec;
}

OpId Convolved(NodeContext& ctx, OpId x, OpId kernel) {
  GraphBuilder& b = ctx.builder();
  if (!ctx.ok()) return kNoOp;
  const Shape shape = b.shape(kernel);
  const std::vector<int64_t> spatial = SpatialSizes(b, x, true);
  if (shape.rank() < 3 || shape.rank() != b.shape(x).rank()) {
    ctx.Fail(
        fmt::format("found {} and kernel {}, expected the same rank, 3 or "
                    "more",
                    FormatShape(b.shape(x)), FormatShape(shape)));
    return kNoOp;
  }
  std::vector<int64_t> sizes;
  sizes.reserve(spatial.size());
  for (size_t i = 0; i < spatial.size(); ++i) {
    sizes.push_back(shape.dims[i].factor);
  }
  const WindowSpec window = WindowOf(ctx, sizes, spatial);
  if (!ctx.ok()) return kNoOp;
  return b.Convolution(x, b.Convert(kernel, b.shape(x).dtype), window.dims, ctx.Int("group", 1),
                       /*channels_first=*/true);
}

std::span<const OpEntry> ConvolutionOps() { return kConvolutionOps; }

}  // namespace tilewise::onnx
