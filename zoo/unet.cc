// U-Net (Ronneberger et al. 2015) with padded convolutions, so that the result
// has the size of the input; 31.0 M parameters by default.

#include <vector>

#include <fmt/format.h>

#include "zoo/convolution_block.h"
#include "zoo/models.h"

namespace tilewise {
namespace {

constexpr ZooParameter kUnetParameters[] = {
    {"image",
     "512",
     "height and width of the input in pixels, a multiple of 2^levels",
     {},
     1,
     1 << 14},
    {"channels", "1", "features of the input"},
    {"classes", "2", "classes of each pixel"},
    {"filters", "64", "of the first level; each level has twice as many", {}, 1, 4096},
    {"levels", "4", "times that the image is halved", {}, 1, 8},
    ComputeType(),
    kWeightType,
};

OpId Pair(Net& net, const std::string& name, OpId x, int64_t filters) {
  x = ConvBiasRelu(net, name + "/conv1", x, Square(filters, 3));
  return ConvBiasRelu(net, name + "/conv2", x, Square(filters, 3));
}

// A transposed 2x2 convolution of stride 2 with bias: the input gradient of
// the convolution that halves the image.
OpId UpConvolve(Net& net, const std::string& name, OpId x, int64_t filters) {
  net.Layer(name + "/up");
  Shape larger = net.shape(x);
  const int64_t features = larger.dims[3].factor;
  larger.dims[1].factor *= 2;
  larger.dims[2].factor *= 2;
  larger.dims[3].factor = filters;
  ConvAttrs halving;
  halving.window = {{2, 2, 0, 0, 1}, {2, 2, 0, 0, 1}};
  const OpId kernel = net.Weight("kernel", {2, 2, filters, features});
  return net.AddBias(net.builder.ConvInputGrad(x, kernel, larger, halving));
}

absl::StatusOr<Graph> BuildUnet(const ZooSpec& spec) {
  Net net(spec);
  const int64_t image = spec.Integer("image");
  const int64_t levels = spec.Integer("levels");
  const int64_t filters = spec.Integer("filters");
  if (image % (int64_t{1} << levels) != 0) {
    return InvalidInput(
        fmt::format("parameter 'image': found {}, expected a multiple of {} "
                    "for {} levels",
                    image, int64_t{1} << levels, levels));
  }
  OpId x = net.Input("image", {image, image, spec.Integer("channels")});
  std::vector<OpId> skips;
  for (int64_t level = 0; level < levels; ++level) {
    const std::string name = fmt::format("down{}", level + 1);
    x = Pair(net, name, x, filters << level);
    skips.push_back(x);
    net.Layer(name + "/pool");
    x = MaxPool(net, x, 2, 2);
  }
  x = Pair(net, "bottom", x, filters << levels);
  for (int64_t level = levels - 1; level >= 0; --level) {
    const std::string name = fmt::format("up{}", level + 1);
    x = UpConvolve(net, name, x, filters << level);
    x = net.builder.Concatenate({skips[level], x}, 3);
    x = Pair(net, name, x, filters << level);
  }
  net.Layer("classifier");
  x = net.AddBias(Convolve(net, x, Square(spec.Integer("classes"), 1)));
  x = net.builder.Softmax(net.builder.Convert(x, DType::kF32), 3);
  return net.Finish({x});
}

}  // namespace

ZooModel UnetModel() {
  return {"unet", "image to image, with skips between the levels", kUnetParameters, BuildUnet};
}

}  // namespace tilewise
