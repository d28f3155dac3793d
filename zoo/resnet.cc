// Residual networks (He et al. 2015). v1.5 has the stride of a bottleneck in
// its 3x3 convolution, v1 in the first 1x1. In pre_norm (v2, He et al. 2016)
// norm and activation stand before each convolution; with group norm and
// standardised weights that is BiT (Kolesnikov et al. 2019).

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "graph/moments.h"
#include "zoo/convolution_block.h"
#include "zoo/models.h"

namespace tilewise {
namespace {

struct ResnetDepth {
  std::string_view name;
  std::array<int64_t, 4> blocks;  // per stage
  bool bottleneck;
};

constexpr ResnetDepth kResnetDepths[] = {
    {"18", {2, 2, 2, 2}, false},  {"34", {3, 4, 6, 3}, false},  {"50", {3, 4, 6, 3}, true},
    {"101", {3, 4, 23, 3}, true}, {"152", {3, 8, 36, 3}, true},
};

constexpr ZooParameter kResnetParameters[] = {
    {"depth", "50", "layers with weights", "18|34|50|101|152"},
    {"variant", "v1.5",
     "where a bottleneck has its stride: 3x3 or first 1x1; pre_norm: the 3x3, with norms before "
     "convolutions",
     "v1.5|v1|pre_norm"},
    {"norm", "batch", "kind of norm; group: groups of 32, weights standardised; pre_norm only",
     "batch|group"},
    ImageSize("224"),
    kClasses,
    ComputeType(),
    kWeightType,
};

constexpr int64_t kNormGroups = 32;
constexpr double kWeightEpsilon = 1e-10;

// Each filter with mean 0 and variance 1 (Qiao et al. 2019).
OpId Standardised(Net& net, OpId kernel) {
  GraphBuilder& b = net.builder;
  const std::vector<int64_t> dims = {0, 1, 2};
  const OpId wide = b.Convert(kernel, DType::kF32);
  const OpId y = Normalized(b, wide, MomentsOf(b, wide, dims, kWeightEpsilon), dims);
  return b.Convert(y, net.compute_type());
}

OpId ConvolveStyled(Net& net, const std::string& layer, OpId x, const Conv& conv, bool grouped) {
  net.Layer(layer);
  if (!grouped) return Convolve(net, x, conv);
  const OpId kernel =
      net.StoredWeight("kernel", {conv.height, conv.width, net.last_dim(x), conv.filters});
  const int64_t pad = conv.pad == kSame ? conv.height / 2 : conv.pad;
  const WindowDim window = {conv.height, conv.stride, pad, pad, 1};
  return net.builder.Convolution(x, Standardised(net, kernel), {window, window}, 1, false);
}

OpId NormRelu(Net& net, const std::string& layer, OpId x, bool grouped) {
  net.Layer(layer);
  return net.Relu(grouped ? GroupNorm(net, x, kNormGroups) : BatchNorm(net, x));
}

// Norms and activations before convolutions; the shortcut is the sum itself.
OpId AddPreNormBlock(Net& net, OpId x, const ResnetBlock& block, bool grouped) {
  const std::string& at = block.name;
  const auto convolve = [&](const char* name, OpId y, const Conv& conv) {
    return ConvolveStyled(net, at + name, y, conv, grouped);
  };
  OpId y = NormRelu(net, at + "/norm1", x, grouped);
  OpId shortcut = x;
  if (block.stride > 1 || net.last_dim(x) != block.features()) {
    shortcut = convolve("/shortcut", y, Square(block.features(), 1, block.stride));
  }
  std::vector<Conv> convs = {Square(block.width, 3, block.stride), Square(block.width, 3)};
  if (block.bottleneck) {
    convs = {Square(block.width, 1), Square(block.width, 3, block.stride),
             Square(block.features(), 1)};
  }
  for (size_t i = 0; i < convs.size(); ++i) {
    if (i > 0) y = NormRelu(net, fmt::format("{}/norm{}", at, i + 1), y, grouped);
    y = convolve(fmt::format("/conv{}", i + 1).c_str(), y, convs[i]);
  }
  net.Layer(at + "/add");
  return net.Add(shortcut, y);
}

absl::StatusOr<Graph> BuildResnet(const ZooSpec& spec) {
  const ResnetDepth* depth = kResnetDepths;
  while (depth->name != spec.Word("depth")) ++depth;
  const bool pre_norm = spec.Word("variant") == "pre_norm";
  const bool grouped = spec.Word("norm") == "group";
  if (grouped && !pre_norm) {
    return InvalidInput("parameter 'norm': found 'group', expected variant=pre_norm with it");
  }
  Net net(spec);
  OpId x = ImageInput(net, spec);
  if (pre_norm) {
    x = ConvolveStyled(net, "stem", x, Square(64, 7, 2), grouped);
    net.Layer("pool");
    x = MaxPool(net, x, 3, 2, 1);
  } else {
    x = Stem(net, x, 64);
  }
  for (size_t stage = 0; stage < depth->blocks.size(); ++stage) {
    for (int64_t i = 0; i < depth->blocks[stage]; ++i) {
      const ResnetBlock block = {.name = fmt::format("stage{}/block{}", stage + 1, i + 1),
                                 .width = int64_t{64} << stage,
                                 .stride = i == 0 && stage > 0 ? 2 : 1,
                                 .bottleneck = depth->bottleneck,
                                 .stride_first = spec.Word("variant") == "v1"};
      x = pre_norm ? AddPreNormBlock(net, x, block, grouped) : AddBlock(net, x, block);
    }
  }
  if (pre_norm) x = NormRelu(net, "last_norm", x, grouped);
  return ClassifyMean(net, x, spec);
}

}  // namespace

ZooModel ResnetModel() {
  return {"resnet", "residual network for images", kResnetParameters, BuildResnet};
}

ZooModel Resnet50Model() {
  return {"resnet50", "the same as resnet, by the name of its default depth", kResnetParameters,
          BuildResnet};
}

}  // namespace tilewise
