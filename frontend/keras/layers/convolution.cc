// Convolutions: plain and grouped, depthwise, separable.

#include "frontend/keras/layers/families.h"
#include "frontend/keras/layers/windows.h"
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

OpId Convolve(LayerContext& ctx, OpId x, std::string_view weight, const Convolving& conv) {
  if (!ctx.builder.ok()) return kNoOp;
  std::vector<int64_t> kernel = conv.sizes;
  kernel.push_back(Features(ctx, x, conv) / conv.groups);
  kernel.push_back(conv.filters);
  const std::vector<WindowDim> window = MakeWindow(
      ctx, x, {conv.sizes, conv.strides, conv.dilations, conv.padding}, conv.channels_first);
  return ctx.builder.Convolution(x, ctx.Variable(weight, kernel), window, conv.groups,
                                 conv.channels_first);
}

OpId Finish(LayerContext& ctx, OpId y, const Convolving& conv) {
  if (ctx.config.Flag("use_bias", true)) {
    y = ctx.AddBias(y, ctx.Variable("bias", {conv.filters}),
                    FeatureDimOf(conv.channels_first, ctx.rank(y)));
  }
  return ctx.Activate(y);
}

OpId BuildConvolution(LayerContext& ctx) {
  Convolving conv = CommonArguments(ctx);
  conv.filters = ctx.config.Positive("filters");
  conv.groups = ctx.config.Positive("groups", 1);
  return Finish(ctx, Convolve(ctx, ctx.input(), "kernel", conv), conv);
}

// One group per input feature, `depth_multiplier` filters in each.
OpId DepthwiseStep(LayerContext& ctx, std::string_view weight, Convolving& conv) {
  const int64_t multiplier = ctx.config.Positive("depth_multiplier", 1);
  conv.groups = Features(ctx, ctx.input(), conv);
  conv.filters = conv.groups * multiplier;
  return Convolve(ctx, ctx.input(), weight, conv);
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

constexpr LayerEntry kConvolutionLayers[] = {
    {"Conv1D", BuildConvolution},        {"Conv2D", BuildConvolution},
    {"Conv3D", BuildConvolution},        {"DepthwiseConv1D", BuildDepthwise},
    {"DepthwiseConv2D", BuildDepthwise}, {"SeparableConv1D", BuildSeparable},
    {"SeparableConv2D", BuildSeparable},
};

}  // namespace

std::span<const LayerEntry> ConvolutionLayers() { return kConvolutionLayers; }

}  // namespace tilewise
