// Residual networks (He et al. 2015). v1.5 has the stride of a bottleneck in
// its 3x3 convolution, v1 in the first 1x1. In pre_norm (v2, He et al. 2016)
// norm and activation stand before each convolution; with group norm and
// standardised weights that is BiT (Kolesnikov et al. 2019).

#include <array>

#include <fmt/format.h>

#include "zoo/convolution_block.h"
#include "zoo/models.h"
#include "zoo/pre_norm_resnet.h"

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
     "where a bottleneck has its stride: 3x3 or first 1x1; pre_norm: "
     "the 3x3, with norms before convolutions",
     "v1.5|v1|pre_norm"},
    {"norm", "batch", "kind of norm; group: groups of 32, weights standardised; pre_norm only",
     "batch|group"},
    ImageSize("224"),
    kClasses,
    ComputeType(),
    kWeightType,
};

struct ResnetBlock {
  std::string name;
  int64_t width = 64;
  int64_t stride = 1;
  bool bottleneck = true;
  bool stride_first = false;

  int64_t features() const { return bottleneck ? 4 * width : width; }
};

OpId Residual(Net& net, OpId x, const ResnetBlock& block) {
  constexpr Activation kNone = Activation::kNone;
  const std::string& at = block.name;
  if (!block.bottleneck) {
    const OpId y = ConvNorm(net, at + "/conv1", x, Square(block.width, 3, block.stride));
    return ConvNorm(net, at + "/conv2", y, Square(block.width, 3), kNone);
  }
  const int64_t first = block.stride_first ? block.stride : 1;
  const int64_t second = block.stride_first ? 1 : block.stride;
  OpId y = ConvNorm(net, at + "/conv1", x, Square(block.width, 1, first));
  y = ConvNorm(net, at + "/conv2", y, Square(block.width, 3, second));
  return ConvNorm(net, at + "/conv3", y, Square(block.features(), 1), kNone);
}

OpId AddBlock(Net& net, OpId x, const ResnetBlock& block) {
  const OpId y = Residual(net, x, block);
  const bool same = block.stride == 1 && net.last_dim(x) == block.features();
  const OpId shortcut =
      same ? x
           : ConvNorm(net, block.name + "/shortcut", x, Square(block.features(), 1, block.stride),
                      Activation::kNone);
  net.Layer(block.name + "/add");
  return net.Relu(net.Add(y, shortcut));
}

absl::StatusOr<Graph> BuildResnet(const ZooSpec& spec) {
  const ResnetDepth* depth = kResnetDepths;
  while (depth->name != spec.Word("depth")) ++depth;
  if (spec.Word("variant") == "pre_norm") {
    return BuildPreNorm(spec, depth->blocks, depth->bottleneck);
  }
  if (spec.Word("norm") == "group") {
    return InvalidInput("parameter 'norm': found 'group', expected variant=pre_norm with it");
  }
  Net net(spec);
  const int64_t image = spec.Integer("image");
  OpId x = net.Input("image", {image, image, 3});
  x = ConvNorm(net, "stem", x, Square(64, 7, 2));
  net.Layer("pool");
  x = MaxPool(net, x, 3, 2, 1);
  for (size_t stage = 0; stage < depth->blocks.size(); ++stage) {
    for (int64_t i = 0; i < depth->blocks[stage]; ++i) {
      x = AddBlock(net, x,
                   {.name = fmt::format("stage{}/block{}", stage + 1, i + 1),
                    .width = int64_t{64} << stage,
                    .stride = i == 0 && stage > 0 ? 2 : 1,
                    .bottleneck = depth->bottleneck,
                    .stride_first = spec.Word("variant") == "v1"});
    }
  }
  net.Layer("average");
  x = GlobalAverage(net, x);
  return net.Finish({Classify(net, x, spec.Integer("classes"))});
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
