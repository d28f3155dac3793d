// What convolutional networks are made of: convolutions with their batch norm,
// pools, the classifier. Activations are [batch, height, width, feature].

#pragma once

#include <string>
#include <vector>

#include "zoo/net.h"

namespace tilewise {

// Padding that keeps the size of an odd window at stride 1; the same on both
// sides also at stride 2, as the TPU reference networks pad.
inline constexpr int64_t kSame = -1;

struct Conv {
  int64_t filters = 1;
  int64_t height = 1, width = 1;
  int64_t stride = 1;
  int64_t pad = kSame;  // on each side of both dims
  int64_t groups = 1;
};
Conv Square(int64_t filters, int64_t size, int64_t stride = 1, int64_t pad = kSame);

enum class Activation { kNone, kRelu, kRelu6 };

// These add to the current layer.
OpId Convolve(Net& net, OpId x, const Conv& conv);
OpId BatchNorm(Net& net, OpId x, double epsilon = 1e-5);
// Normalizes over the positions and the features of each group (Wu, He 2018). Sums are of each
// feature first, so that only they are cut into groups.
OpId GroupNorm(Net& net, OpId x, int64_t groups, double epsilon = 1e-5);
OpId Activate(Net& net, OpId x, Activation activation);

// These make layers of their own. The first is convolution without bias, batch norm, activation;
// the second convolution with bias, ReLU.
OpId ConvNorm(Net& net, const std::string& layer, OpId x, const Conv& conv,
              Activation activation = Activation::kRelu);
OpId ConvBiasRelu(Net& net, const std::string& layer, OpId x, const Conv& conv);

// These add to the current layer. Averages divide by the whole window, padding included.
OpId MaxPool(Net& net, OpId x, int64_t size, int64_t stride, int64_t pad = 0);
OpId AveragePool(Net& net, OpId x, int64_t size, int64_t stride, int64_t pad = 0);
OpId GlobalAverage(Net& net, OpId x);  // [batch, feature]
OpId Flatten(Net& net, OpId x);        // [batch, everything else]

// Layer "classifier": matmul with bias, softmax in f32.
OpId Classify(Net& net, OpId x, int64_t classes);

// The input "image" of parameter `image`, with three colours.
OpId ImageInput(Net& net, const ZooSpec& spec);
// Layers "stem", a 7x7 convolution, and "pool": each halves the image.
OpId Stem(Net& net, OpId x, int64_t filters);
// The result of networks that end in the mean of all positions and a classifier.
absl::StatusOr<Graph> ClassifyMean(Net& net, OpId x, const ZooSpec& spec, double dropout = 0);

// A residual block (He et al. 2015): two 3x3 convolutions, or a bottleneck
// between two 1x1.
struct ResnetBlock {
  std::string name;
  int64_t width = 64;
  int64_t stride = 1;
  bool bottleneck = true;
  bool stride_first = false;  // in the first 1x1, else in the 3x3
  int64_t features() const { return bottleneck ? 4 * width : width; }
};
OpId AddBlock(Net& net, OpId x, const ResnetBlock& block);

// Parameters that image models share.
inline constexpr ZooParameter ImageSize(std::string_view size) {
  return {"image", size, "height and width of the input in pixels", {}, 1, 1 << 14};
}
inline constexpr ZooParameter kClasses = {"classes", "1000", "outputs of the classifier"};

}  // namespace tilewise
