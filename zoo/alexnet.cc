// AlexNet in the single-column form of "One weird trick" (Krizhevsky 2014),
// 61.1 M parameters; local response norms are left out as there.

#include <fmt/format.h>

#include "zoo/convolution_block.h"
#include "zoo/models.h"

namespace tilewise {
namespace {

constexpr ZooParameter kAlexnetParameters[] = {
    ImageSize("224"),
    kClasses,
    {"dense", "4096", "units of the two hidden dense layers; 0 for none", {}, 0},
    ComputeType(),
    kWeightType,
};

struct AlexnetStage {
  Conv conv;
  bool pooled;
};

absl::StatusOr<Graph> BuildAlexnet(const ZooSpec& spec) {
  const AlexnetStage stages[] = {
      {Square(64, 11, 4, 2), true}, {Square(192, 5), true}, {Square(384, 3), false},
      {Square(256, 3), false},      {Square(256, 3), true},
  };
  Net net(spec);
  OpId x = ImageInput(net, spec);
  int number = 0;
  for (const AlexnetStage& stage : stages) {
    x = ConvBiasRelu(net, fmt::format("conv{}", ++number), x, stage.conv);
    if (stage.pooled) x = MaxPool(net, x, 3, 2);
  }
  x = Flatten(net, x);
  if (const int64_t units = spec.Integer("dense"); units > 0) {
    for (const char* layer : {"dense1", "dense2"}) {
      net.Layer(layer);
      x = net.Relu(net.Dense(net.Dropout(x, 0.5), units, true));
    }
  }
  return net.Finish({Classify(net, x, spec.Integer("classes"))});
}

}  // namespace

ZooModel AlexnetModel() {
  return {"alexnet", "five convolutions and three dense layers", kAlexnetParameters, BuildAlexnet};
}

}  // namespace tilewise
