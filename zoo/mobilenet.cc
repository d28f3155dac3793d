// MobileNetV2 (Sandler et al. 2018): inverted residuals around depthwise
// convolutions.

#include <algorithm>

#include <fmt/format.h>

#include "zoo/convolution_block.h"
#include "zoo/models.h"

namespace tilewise {
namespace {

// Table 2 of the paper: expansion, filters, blocks, stride of the first block.
struct Group {
  int64_t expansion, filters, blocks, stride;
};
constexpr Group kBlockGroups[] = {
    {1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2},  {6, 64, 4, 2},
    {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1},
};
constexpr int64_t kStem = 32;
constexpr int64_t kLast = 1280;

constexpr ZooParameter kMobilenetParameters[] = {
    ImageSize("224"), kClasses,    {"width", "100", "width multiplier in percent", {}, 10, 400},
    ComputeType(),    kWeightType,
};

// A multiple of 8 that is at least 90 % of the filters at this width.
int64_t Widened(int64_t filters, int64_t percent) {
  const int64_t wanted = filters * percent;  // in hundredths
  const int64_t rounded = std::max<int64_t>(8, (wanted + 400) / 800 * 8);
  return rounded * 1000 < wanted * 9 ? rounded + 8 : rounded;
}

struct InvertedBlock {
  std::string name;
  int64_t expansion = 1, filters = 1, stride = 1;
};

OpId InvertedResidual(Net& net, OpId x, const InvertedBlock& block) {
  const int64_t in = net.last_dim(x);
  const int64_t hidden = in * block.expansion;
  OpId y = x;
  if (block.expansion > 1) {
    y = ConvNorm(net, block.name + "/expand", y, Square(hidden, 1), Activation::kRelu6);
  }
  Conv depthwise = Square(hidden, 3, block.stride);
  depthwise.groups = hidden;
  y = ConvNorm(net, block.name + "/depthwise", y, depthwise, Activation::kRelu6);
  y = ConvNorm(net, block.name + "/project", y, Square(block.filters, 1), Activation::kNone);
  if (block.stride != 1 || in != block.filters) return y;
  net.Layer(block.name + "/add");
  return net.Add(x, y);
}

absl::StatusOr<Graph> BuildMobilenet(const ZooSpec& spec) {
  Net net(spec);
  const int64_t width = spec.Integer("width");
  OpId x = ImageInput(net, spec);
  x = ConvNorm(net, "stem", x, Square(Widened(kStem, width), 3, 2), Activation::kRelu6);
  int number = 0;
  for (const Group& group : kBlockGroups) {
    for (int64_t i = 0; i < group.blocks; ++i) {
      x = InvertedResidual(net, x,
                           {.name = fmt::format("block{}", ++number),
                            .expansion = group.expansion,
                            .filters = Widened(group.filters, width),
                            .stride = i == 0 ? group.stride : 1});
    }
  }
  const int64_t last = width > 100 ? Widened(kLast, width) : kLast;
  x = ConvNorm(net, "last", x, Square(last, 1), Activation::kRelu6);
  return ClassifyMean(net, x, spec, 0.2);
}

}  // namespace

ZooModel MobilenetModel() {
  return {"mobilenet", "MobileNetV2: depthwise convolutions", kMobilenetParameters, BuildMobilenet};
}

}  // namespace tilewise
