// Blocks whose shortcut is the sum itself, and standardised weights.

#include "zoo/pre_norm_resnet.h"

#include <fmt/format.h>

#include "graph/moments.h"
#include "zoo/convolution_block.h"

namespace tilewise {
namespace {

constexpr int64_t kNormGroups = 32;
constexpr double kWeightEpsilon = 1e-10;

struct Style {
  bool grouped = false;  // group norm and standardised weights
  bool bottleneck = true;
};

// Each filter with mean 0 and variance 1 (Qiao et al. 2019).
OpId Standardised(Net& net, OpId kernel) {
  GraphBuilder& b = net.builder;
  const std::vector<int64_t> dims = {0, 1, 2};
  const OpId wide = b.Convert(kernel, DType::kF32);
  const OpId y = Normalized(b, wide, MomentsOf(b, wide, dims, kWeightEpsilon), dims);
  return b.Convert(y, net.compute_type());
}

OpId ConvolveStyled(Net& net, const std::string& layer, OpId x, const Conv& conv,
                    const Style& style) {
  net.Layer(layer);
  if (!style.grouped) return Convolve(net, x, conv);
  const OpId kernel =
      net.StoredWeight("kernel", {conv.height, conv.width, net.last_dim(x), conv.filters});
  const int64_t pad = conv.pad == kSame ? conv.height / 2 : conv.pad;
  const WindowDim window = {conv.height, conv.stride, pad, pad, 1};
  return net.builder.Convolution(x, Standardised(net, kernel), {window, window}, 1, false);
}

OpId NormRelu(Net& net, const std::string& layer, OpId x, const Style& style) {
  net.Layer(layer);
  return net.Relu(style.grouped ? GroupNorm(net, x, kNormGroups) : BatchNorm(net, x));
}

OpId AddBlock(Net& net, const std::string& at, OpId x, int64_t width, int64_t stride,
              const Style& style) {
  const int64_t features = style.bottleneck ? 4 * width : width;
  const auto convolve = [&](const char* name, OpId y, const Conv& conv) {
    return ConvolveStyled(net, at + name, y, conv, style);
  };
  OpId y = NormRelu(net, at + "/norm1", x, style);
  OpId shortcut = x;
  if (stride > 1 || net.last_dim(x) != features) {
    shortcut = convolve("/shortcut", y, Square(features, 1, stride));
  }
  if (style.bottleneck) {
    y = convolve("/conv1", y, Square(width, 1));
    y = NormRelu(net, at + "/norm2", y, style);
    y = convolve("/conv2", y, Square(width, 3, stride));
    y = NormRelu(net, at + "/norm3", y, style);
    y = convolve("/conv3", y, Square(features, 1));
  } else {
    y = convolve("/conv1", y, Square(width, 3, stride));
    y = NormRelu(net, at + "/norm2", y, style);
    y = convolve("/conv2", y, Square(width, 3));
  }
  net.Layer(at + "/add");
  return net.Add(shortcut, y);
}

}  // namespace

absl::StatusOr<Graph> BuildPreNorm(const ZooSpec& spec, const std::array<int64_t, 4>& blocks,
                                   bool bottleneck) {
  const Style style = {spec.Word("norm") == "group", bottleneck};
  Net net(spec);
  const int64_t image = spec.Integer("image");
  OpId x = net.Input("image", {image, image, 3});
  x = ConvolveStyled(net, "stem", x, Square(64, 7, 2), style);
  net.Layer("pool");
  x = MaxPool(net, x, 3, 2, 1);
  for (size_t stage = 0; stage < blocks.size(); ++stage) {
    for (int64_t i = 0; i < blocks[stage]; ++i) {
      x = AddBlock(net, fmt::format("stage{}/block{}", stage + 1, i + 1), x, int64_t{64} << stage,
                   i == 0 && stage > 0 ? 2 : 1, style);
    }
  }
  x = NormRelu(net, "last_norm", x, style);
  net.Layer("average");
  x = GlobalAverage(net, x);
  return net.Finish({Classify(net, x, spec.Integer("classes"))});
}

}  // namespace tilewise
