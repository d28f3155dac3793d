// Transposed convolutions: the input gradient of the convolution that would
// give this layer's input from its output.

#include <algorithm>

#include "frontend/keras/layers/families.h"
#include "library/windows.h"

namespace tilewise {
namespace {

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
  if (extra.size() == 1) extra.resize(static_cast<size_t>(n), extra[0]);
  const Shape x = ctx.shape(ctx.input());
  Transposing result;
  for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
    const int64_t in = x.dims[static_cast<size_t>(FirstSpatialDim(channels_first)) + i].factor;
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
  const auto feature = static_cast<size_t>(FeatureDimOf(channels_first, y_shape.rank()));
  std::vector<int64_t> kernel;
  for (size_t i = 0; i < inverse.forward.size(); ++i) {
    kernel.push_back(inverse.forward[i].size);
    y_shape.dims[static_cast<size_t>(FirstSpatialDim(channels_first)) + i].factor =
        inverse.output[i];
  }
  kernel.push_back(filters);
  kernel.push_back(y_shape.dims[feature].factor);
  y_shape.dims[feature].factor = filters;

  ConvAttrs forward;
  forward.window = inverse.forward;
  forward.channels_first = channels_first;
  OpId y = ctx.builder.ConvInputGrad(ctx.input(), ctx.Variable("kernel", kernel), y_shape, forward);
  if (ctx.config.Flag("use_bias", true)) {
    y = ctx.AddBias(y, ctx.Variable("bias", {filters}), static_cast<int64_t>(feature));
  }
  return ctx.Activate(y);
}

constexpr LayerEntry kTransposedConvolutionLayers[] = {
    {"Conv1DTranspose", BuildTransposed},
    {"Conv2DTranspose", BuildTransposed},
    {"Conv3DTranspose", BuildTransposed},
};

}  // namespace

std::span<const LayerEntry> TransposedConvolutionLayers() { return kTransposedConvolutionLayers; }

}  // namespace tilewise
