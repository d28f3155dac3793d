// DenseNet (Huang et al. 2016), with bottlenecks and halving transitions: each
// layer sees the features of all layers before it in its block.

#include <array>

#include <fmt/format.h>

#include "zoo/convolution_block.h"
#include "zoo/models.h"

namespace tilewise {
namespace {

struct DensenetDepth {
  std::string_view name;
  std::array<int64_t, 4> layers;  // per block
};

constexpr DensenetDepth kDensenetDepths[] = {
    {"121", {6, 12, 24, 16}},
    {"169", {6, 12, 32, 32}},
    {"201", {6, 12, 48, 32}},
};
constexpr int64_t kBottleneck = 4;  // times the growth

constexpr ZooParameter kDensenetParameters[] = {
    {"depth", "121", "layers with weights", "121|169|201"},
    {"growth", "32", "features that each layer adds", {}, 1, 4096},
    ImageSize("224"),
    kClasses,
    ComputeType(),
    kWeightType,
};

OpId NormRelu(Net& net, const std::string& layer, OpId x) {
  net.Layer(layer);
  return net.Relu(BatchNorm(net, x));
}

OpId DenseLayer(Net& net, const std::string& name, OpId x, int64_t growth) {
  OpId y = NormRelu(net, name + "/norm1", x);
  y = ConvNorm(net, name + "/conv1", y, Square(kBottleneck * growth, 1));
  net.Layer(name + "/conv2");
  y = Convolve(net, y, Square(growth, 3));
  net.Layer(name + "/concat");
  return net.builder.Concatenate({x, y}, 3);
}

OpId Transition(Net& net, const std::string& name, OpId x) {
  const OpId y = NormRelu(net, name + "/norm", x);
  net.Layer(name + "/conv");
  const OpId halved = Convolve(net, y, Square(net.last_dim(y) / 2, 1));
  net.Layer(name + "/pool");
  return AveragePool(net, halved, 2, 2);
}

absl::StatusOr<Graph> BuildDensenet(const ZooSpec& spec) {
  const DensenetDepth* depth = kDensenetDepths;
  while (depth->name != spec.Word("depth")) ++depth;
  const int64_t growth = spec.Integer("growth");
  Net net(spec);
  OpId x = Stem(net, ImageInput(net, spec), 2 * growth);
  for (size_t block = 0; block < depth->layers.size(); ++block) {
    for (int64_t i = 0; i < depth->layers[block]; ++i) {
      x = DenseLayer(net, fmt::format("block{}/layer{}", block + 1, i + 1), x, growth);
    }
    if (block + 1 == depth->layers.size()) break;
    x = Transition(net, fmt::format("transition{}", block + 1), x);
  }
  return ClassifyMean(net, NormRelu(net, "last_norm", x), spec);
}

}  // namespace

ZooModel DensenetModel() {
  return {"densenet", "densely connected convolutions", kDensenetParameters, BuildDensenet};
}

}  // namespace tilewise
