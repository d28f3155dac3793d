// Convolutions: plain and grouped, depthwise, separable, transposed: the input
// gradient of the convolution that would give this layer's input from its
// output.

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "frontend/keras/layers/families.h"
#include "library/windows.h"

namespace tilewise {
namespace {

struct Convolving {
  int64_t filters = 1;
  int64_t groups = 1;
  std::vector<int64_t> sizes, strides, dilations;
  std::string padding;
  bool channels_first = false;
};

// What Conv, DepthwiseConv and SeparableConv arguments have in common.
Convolving CommonArguments(LayerContext& ctx) {
  const int64_t n = SpatialRank(ctx.layer.class_name);
  ctx.ExpectRank(ctx.input(), n + 2);
  Convolving conv;
  conv.sizes = ctx.config.PerDim("kernel_size", n);
  conv.strides = ctx.config.PerDim("strides", n, 1);
  conv.dilations = ctx.config.PerDim("dilation_rate", n, 1);
  conv.padding = ctx.config.Text("padding", "valid");
  conv.channels_first = ctx.config.ChannelsFirst();
  return conv;
}

int64_t Features(LayerContext& ctx, OpId x, const Convolving& conv) {
  const Shape shape = ctx.shape(x);
  return shape.dims[FeatureDimOf(conv.channels_first, shape.rank())].factor;
}

OpId ConvolveWith(LayerContext& ctx, OpId x, OpId kernel, const Convolving& conv) {
  if (!ctx.builder.ok()) return kNoOp;
  const std::vector<WindowDim> window = MakeWindow(
      ctx, x, {conv.sizes, conv.strides, conv.dilations, conv.padding}, conv.channels_first);
  return ctx.builder.Convolution(x, kernel, window, conv.groups, conv.channels_first);
}

OpId Convolve(LayerContext& ctx, OpId x, std::string_view weight, const Convolving& conv) {
  if (!ctx.builder.ok()) return kNoOp;
  std::vector<int64_t> kernel = conv.sizes;
  kernel.push_back(Features(ctx, x, conv) / conv.groups);
  kernel.push_back(conv.filters);
  return ConvolveWith(ctx, x, ctx.Variable(weight, kernel), conv);
}

OpId Finish(LayerContext& ctx, OpId y, const Convolving& conv) {
  return ctx.Activate(ctx.AddOwnBias(y, "bias", FeatureDimOf(conv.channels_first, ctx.rank(y))));
}

OpId BuildConvolution(LayerContext& ctx) {
  Convolving conv = CommonArguments(ctx);
  conv.filters = ctx.config.Positive("filters");
  conv.groups = ctx.config.Positive("groups", 1);
  return Finish(ctx, Convolve(ctx, ctx.input(), "kernel", conv), conv);
}

// One group per input feature, `depth_multiplier` filters in each. Keras keeps
// features and filters in two dims, which become one where it convolves.
OpId DepthwiseStep(LayerContext& ctx, std::string_view weight, Convolving& conv) {
  const int64_t multiplier = ctx.config.Positive("depth_multiplier", 1);
  conv.groups = Features(ctx, ctx.input(), conv);
  conv.filters = conv.groups * multiplier;
  if (multiplier == 1) return Convolve(ctx, ctx.input(), weight, conv);
  if (!ctx.builder.ok()) return kNoOp;
  std::vector<int64_t> kept = conv.sizes;
  kept.insert(kept.end(), {conv.groups, multiplier});
  std::vector<int64_t> joined = conv.sizes;
  joined.insert(joined.end(), {1, conv.filters});
  const OpId kernel = ctx.Variable(weight, kept);
  const DType dtype = ctx.shape(kernel).dtype;
  return ConvolveWith(ctx, ctx.input(), ctx.builder.Reshape(kernel, Shape::Of(dtype, joined).dims),
                      conv);
}

OpId BuildDepthwise(LayerContext& ctx) {
  Convolving conv = CommonArguments(ctx);
  const OpId y = DepthwiseStep(ctx, "depthwise_kernel", conv);
  return Finish(ctx, y, conv);
}

OpId BuildSeparable(LayerContext& ctx) {
  Convolving conv = CommonArguments(ctx);
  const OpId middle = DepthwiseStep(ctx, "depthwise_kernel", conv);
  Convolving point = conv;
  point.groups = 1;
  point.filters = ctx.config.Positive("filters");
  for (size_t i = 0; i < point.sizes.size(); ++i) {
    point.sizes[i] = point.strides[i] = point.dilations[i] = 1;
  }
  point.padding = "valid";
  return Finish(ctx, Convolve(ctx, middle, "pointwise_kernel", point), point);
}

struct Transposing {
  std::vector<int64_t> output;     // spatial sizes of the result
  std::vector<WindowDim> forward;  // of the convolution it inverts
};

// Output sizes as Keras infers them (deconv_output_length).
Transposing Invert(LayerContext& ctx, bool channels_first) {
  const int64_t n = SpatialRank(ctx.layer.class_name);
  const auto sizes = ctx.config.PerDim("kernel_size", n);
  const auto strides = ctx.config.PerDim("strides", n, 1);
  const auto dilations = ctx.config.PerDim("dilation_rate", n, 1);
  const bool same = ctx.config.Text("padding", "valid") == "same";
  std::vector<int64_t> extra = ctx.config.Integers("output_padding");
  if (extra.size() == 1) extra.resize(n, extra[0]);
  const Shape x = ctx.shape(ctx.input());
  Transposing result;
  for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
    const int64_t in = x.dims[FirstSpatialDim(channels_first) + i].factor;
    WindowDim w{sizes[i], strides[i], 0, 0, dilations[i]};
    const int64_t extent = (w.size - 1) * w.dilation + 1;
    int64_t out = in * w.stride;
    if (i < extra.size()) {
      out = (in - 1) * w.stride + extent - (same ? 2 * (extent / 2) : 0) + extra[i];
    } else if (!same) {
      out += std::max<int64_t>(extent - w.stride, 0);
    }
    const int64_t total = std::max<int64_t>((in - 1) * w.stride + extent - out, 0);
    w.pad_low = total / 2;
    w.pad_high = total - w.pad_low;
    result.output.push_back(out);
    result.forward.push_back(w);
  }
  return result;
}

OpId BuildTransposed(LayerContext& ctx) {
  const int64_t n = SpatialRank(ctx.layer.class_name);
  if (!ctx.ExpectRank(ctx.input(), n + 2)) return kNoOp;
  const bool channels_first = ctx.config.ChannelsFirst();
  const int64_t filters = ctx.config.Positive("filters");
  const Transposing inverse = Invert(ctx, channels_first);

  Shape y_shape = ctx.shape(ctx.input());
  const size_t feature = FeatureDimOf(channels_first, y_shape.rank());
  std::vector<int64_t> kernel;
  for (size_t i = 0; i < inverse.forward.size(); ++i) {
    kernel.push_back(inverse.forward[i].size);
    y_shape.dims[FirstSpatialDim(channels_first) + i].factor = inverse.output[i];
  }
  kernel.push_back(filters);
  kernel.push_back(y_shape.dims[feature].factor);
  y_shape.dims[feature].factor = filters;

  ConvAttrs forward;
  forward.window = inverse.forward;
  forward.channels_first = channels_first;
  const OpId y =
      ctx.builder.ConvInputGrad(ctx.input(), ctx.Variable("kernel", kernel), y_shape, forward);
  return ctx.Activate(ctx.AddOwnBias(y, "bias", static_cast<int64_t>(feature)));
}

constexpr LayerEntry kConvolutionLayers[] = {
    {"Conv1D|Conv2D|Conv3D", BuildConvolution},
    {"DepthwiseConv1D|DepthwiseConv2D", BuildDepthwise},
    {"SeparableConv1D|SeparableConv2D", BuildSeparable},
    {"Conv1DTranspose|Conv2DTranspose|Conv3DTranspose", BuildTransposed},
};

}  // namespace

std::span<const LayerEntry> ConvolutionLayers() { return kConvolutionLayers; }

std::vector<WindowDim> MakeWindow(LayerContext& ctx, OpId x, const WindowArguments& arguments,
                                  bool channels_first) {
  const bool same = arguments.padding == "same";
  const bool causal = arguments.padding == "causal";
  if (!same && !causal && arguments.padding != "valid") {
    ctx.builder.Fail(fmt::format("padding is \"{}\", expected valid, same or causal",
                                 std::string(arguments.padding.substr(0, 40))));
  }
  const Shape shape = ctx.shape(x);
  std::vector<WindowDim> window(arguments.sizes.size());
  for (size_t i = 0; i < window.size(); ++i) {
    const size_t dim = static_cast<size_t>(FirstSpatialDim(channels_first)) + i;
    const int64_t size = dim < shape.dims.size() ? shape.dims[dim].factor : 1;
    WindowDim& w = window[i];
    w.size = arguments.sizes[i];
    w.stride = arguments.strides[i];
    w.dilation = arguments.dilations[i];
    const int64_t extent = (w.size - 1) * w.dilation + 1;
    if (causal) w.pad_low = extent - 1;
    if (same) PadSame(w, size);
  }
  return window;
}

}  // namespace tilewise
