// SSD with a ResNet-34 (Liu et al. 2016; the MLPerf benchmarks): single-shot
// detection from six feature maps. Of the backbone three stages are kept, the
// third at stride 1. At 300 pixels the maps are 38, 19, 10, 5, 3 and 1 wide,
// 8732 boxes; at 1200 pixels, the size of the inference benchmark, each head
// has stride 3, 15130 boxes. The loss is a cross-entropy of every box: neither
// the mining of hard negatives nor the suppression of overlapping results is
// there.

#include <array>

#include <fmt/format.h>

#include "zoo/convolution_block.h"
#include "zoo/models.h"

namespace tilewise {
namespace {

constexpr ZooParameter kSsdParameters[] = {
    {"image", "300", "height and width of the input in pixels", "300|1200"},
    {"classes", "81", "classes of a box, the background included"},
    ComputeType(),
    kWeightType,
};

OpId Backbone(Net& net, OpId x) {
  struct Stage {
    int64_t blocks, width, stride;
  };
  constexpr Stage kStages[] = {{3, 64, 1}, {4, 128, 2}, {6, 256, 1}};
  x = Stem(net, x, 64);
  int64_t number = 1;
  for (const Stage& stage : kStages) {
    for (int64_t i = 0; i < stage.blocks; ++i) {
      x = AddBlock(net, x,
                   {.name = fmt::format("stage{}/block{}", number, i + 1),
                    .width = stage.width,
                    .stride = i == 0 ? stage.stride : 1,
                    .bottleneck = false});
    }
    ++number;
  }
  return x;
}

// A further, smaller map: a 1x1 convolution to `inner` features, then a 3x3.
struct Extra {
  int64_t inner, outer, stride, pad;
};

std::vector<OpId> FeatureMaps(Net& net, OpId x, bool large) {
  // The last two windows are not padded; at 1200 pixels the first of them
  // halves the map.
  const std::array<Extra, 5> extras = {{{256, 512, 2, 1},
                                        {256, 512, 2, 1},
                                        {128, 256, 2, 1},
                                        {128, 256, large ? 2 : 1, 0},
                                        {128, 256, 1, 0}}};
  std::vector<OpId> maps = {x};
  for (size_t i = 0; i < extras.size(); ++i) {
    const Extra& extra = extras[i];
    const std::string name = fmt::format("extra{}", i + 1);
    x = ConvBiasRelu(net, name + "/conv1", x, Square(extra.inner, 1));
    x = ConvBiasRelu(net, name + "/conv2", x, Square(extra.outer, 3, extra.stride, extra.pad));
    maps.push_back(x);
  }
  return maps;
}

// [batch, boxes of the map, values]
OpId Head(Net& net, const std::string& layer, OpId map, int64_t boxes, int64_t values,
          int64_t stride) {
  net.Layer(layer);
  const OpId y = net.AddBias(Convolve(net, map, Square(boxes * values, 3, stride)));
  const Shape shape = net.shape(y);
  const int64_t places = shape.dims[1].factor * shape.dims[2].factor;
  return net.builder.Reshape(y, {BatchDim(), {places * boxes, false}, {values, false}});
}

absl::StatusOr<Graph> BuildSsd(const ZooSpec& spec) {
  constexpr std::array<int64_t, 6> kBoxes = {4, 6, 6, 6, 4, 4};
  constexpr int64_t kCoordinates = 4;
  Net net(spec);
  const bool large = spec.Integer("image") == 1200;
  const int64_t stride = large ? 3 : 1;
  const OpId x = Backbone(net, ImageInput(net, spec));
  const std::vector<OpId> maps = FeatureMaps(net, x, large);
  std::vector<OpId> classes, places;
  for (size_t i = 0; i < maps.size(); ++i) {
    const std::string name = fmt::format("head{}", i + 1);
    classes.push_back(
        Head(net, name + "/classes", maps[i], kBoxes[i], spec.Integer("classes"), stride));
    places.push_back(Head(net, name + "/places", maps[i], kBoxes[i], kCoordinates, stride));
  }
  net.Layer("boxes");
  GraphBuilder& b = net.builder;
  const auto joined = [&](const std::vector<OpId>& parts) {
    return b.Convert(b.Concatenate(parts, 1), DType::kF32);
  };
  const OpId all_classes = joined(classes);
  return net.Finish({all_classes, joined(places)});
}

}  // namespace

ZooModel SsdModel() {
  return {"ssd", "detection of objects with a ResNet-34", kSsdParameters, BuildSsd};
}

}  // namespace tilewise
