// VGG networks (Simonyan and Zisserman 2014): 3x3 convolutions with bias, five
// pools, three dense layers.

#include <array>

#include <fmt/format.h>

#include "zoo/convolution_block.h"
#include "zoo/models.h"

namespace tilewise {
namespace {

struct Depth {
  std::string_view name;
  std::array<int64_t, 5> convolutions;  // per stage
};

constexpr Depth kDepths[] = {
    {"11", {1, 1, 2, 2, 2}},
    {"13", {2, 2, 2, 2, 2}},
    {"16", {2, 2, 3, 3, 3}},
    {"19", {2, 2, 4, 4, 4}},
};
constexpr std::array<int64_t, 5> kFilters = {64, 128, 256, 512, 512};
constexpr int64_t kUnits = 4096;  // of the two hidden dense layers

constexpr ZooParameter kVggParameters[] = {
    {"depth", "16", "layers with weights", "11|13|16|19"},
    ImageSize("224"),
    kClasses,
    ComputeType(),
    kWeightType,
};

absl::StatusOr<Graph> BuildVgg(const ZooSpec& spec) {
  const Depth* depth = kDepths;
  while (depth->name != spec.Word("depth")) ++depth;
  Net net(spec);
  OpId x = ImageInput(net, spec);
  for (size_t stage = 0; stage < kFilters.size(); ++stage) {
    for (int64_t i = 0; i < depth->convolutions[stage]; ++i) {
      x = ConvBiasRelu(net, fmt::format("conv{}_{}", stage + 1, i + 1), x,
                       Square(kFilters[stage], 3));
    }
    net.Layer(fmt::format("pool{}", stage + 1));
    x = MaxPool(net, x, 2, 2);
  }
  x = Flatten(net, x);
  for (const char* layer : {"dense1", "dense2"}) {
    net.Layer(layer);
    x = net.Dropout(net.Relu(net.Dense(x, kUnits, true)), 0.5);
  }
  return net.Finish({Classify(net, x, spec.Integer("classes"))});
}

}  // namespace

ZooModel VggModel() {
  return {"vgg", "plain 3x3 convolutions with large dense layers", kVggParameters, BuildVgg};
}

}  // namespace tilewise
