// Convolutions, norms, pools and the classifier of image models.

#include "zoo/convolution_block.h"

#include "library/activations.h"
#include "library/normalizations.h"
#include "library/reductions.h"
#include "library/windows.h"

namespace tilewise {
namespace {

constexpr double kMovingMomentum = 0.9;  // of moving statistics; any costs the same

WindowDim Window(int64_t size, int64_t stride, int64_t pad) {
  const int64_t side = pad == kSame ? size / 2 : pad;
  return {size, stride, side, side, 1};
}

std::vector<WindowDim> SquareWindow(int64_t size, int64_t stride, int64_t pad) {
  return {Window(size, stride, pad), Window(size, stride, pad)};
}

// What a block adds.
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

}  // namespace

Conv Square(int64_t filters, int64_t size, int64_t stride, int64_t pad) {
  return {.filters = filters, .height = size, .width = size, .stride = stride, .pad = pad};
}

OpId Convolve(Net& net, OpId x, const Conv& conv) {
  const OpId kernel =
      net.Weight("kernel", {conv.height, conv.width, net.last_dim(x) / conv.groups, conv.filters});
  return net.builder.Convolution(
      x, kernel,
      {Window(conv.height, conv.stride, conv.pad), Window(conv.width, conv.stride, conv.pad)},
      conv.groups, false);
}

OpId BatchNorm(Net& net, OpId x, double epsilon) {
  const int64_t features = net.last_dim(x);
  BatchNormInputs inputs;
  inputs.scale = net.WideWeight("gamma", {features});
  inputs.offset = net.WideWeight("beta", {features});
  inputs.mean = net.State("moving_mean", {features});
  inputs.variance = net.State("moving_variance", {features});
  return BatchNormOf(net.builder, x, inputs, -1, epsilon, net.training(), kMovingMomentum);
}

OpId GroupNorm(Net& net, OpId x, int64_t groups, double epsilon) {
  GraphBuilder& b = net.builder;
  const Shape shape = net.shape(x);
  const int64_t features = net.last_dim(x);
  const int64_t last = shape.rank() - 1;
  const OpId wide = b.Convert(x, DType::kF32);
  const Dim example = shape.dims[0];
  // Returns the mean of each group, spread over its features.
  const auto mean = [&](OpId values) {
    std::vector<int64_t> positions;
    double count = static_cast<double>(features / groups);
    for (int64_t dim = 1; dim < last; ++dim) {
      positions.push_back(dim);
      count *= static_cast<double>(shape.dims[dim].factor);
    }
    const std::vector<Dim> grouped = {example, {groups, false}, {features / groups, false}};
    const OpId sums = b.Reshape(b.Reduce(Reducer::kSum, values, positions), grouped);
    const OpId means = net.Scale(b.Reduce(Reducer::kSum, sums, {2}), 1 / count);
    return b.Reshape(b.Broadcast(means, grouped, {0, 1}), {example, {features, false}});
  };
  const auto times = [&](OpId y, OpId z) { return b.Binary(OpKind::kMultiply, y, z); };
  const OpId center = mean(wide);
  const OpId variance = b.Binary(OpKind::kSubtract, mean(times(wide, wide)), times(center, center));
  const OpId factor = b.Unary(OpKind::kRsqrt, b.BinaryScalar(OpKind::kAdd, variance, epsilon));
  const OpId moved = b.Binary(OpKind::kSubtract, wide, b.Broadcast(center, shape.dims, {0, last}));
  const OpId normal = times(moved, b.Broadcast(factor, shape.dims, {0, last}));
  const auto weight = [&](const char* name) {
    return b.Broadcast(net.WideWeight(name, {features}), shape.dims, {last});
  };
  const OpId scale = weight("gamma");
  return b.Convert(net.Add(times(normal, scale), weight("beta")), net.compute_type());
}

OpId Activate(Net& net, OpId x, Activation activation) {
  if (activation == Activation::kNone) return x;
  return activation == Activation::kRelu ? Relu(net.builder, x) : Relu6(net.builder, x);
}

OpId ConvNorm(Net& net, const std::string& layer, OpId x, const Conv& conv, Activation activation) {
  net.Layer(layer);
  const OpId y = Convolve(net, x, conv);
  net.Layer(layer + "_norm");
  return Activate(net, BatchNorm(net, y), activation);
}

OpId ConvBiasRelu(Net& net, const std::string& layer, OpId x, const Conv& conv) {
  net.Layer(layer);
  return net.Relu(net.AddBias(Convolve(net, x, conv)));
}

OpId MaxPool(Net& net, OpId x, int64_t size, int64_t stride, int64_t pad) {
  return net.builder.ReduceWindow(Reducer::kMax, x, SquareWindow(size, stride, pad), false);
}

OpId AveragePool(Net& net, OpId x, int64_t size, int64_t stride, int64_t pad) {
  return AveragePool(net.builder, x, SquareWindow(size, stride, pad), false,
                     /*count_padding=*/true);
}

OpId GlobalAverage(Net& net, OpId x) {
  return ReduceOf(net.builder, Reduction::kMean, x, {1, 2}, false);
}

OpId Flatten(Net& net, OpId x) {
  int64_t features = 1;
  const Shape shape = net.shape(x);
  for (size_t i = 1; i < shape.dims.size(); ++i) {
    features *= shape.dims[i].factor;
  }
  return net.builder.Reshape(x, {BatchDim(), {features, false}});
}

OpId Classify(Net& net, OpId x, int64_t classes) {
  net.Layer("classifier");
  const OpId logits = net.Dense(x, classes, true);
  return net.builder.Softmax(net.builder.Convert(logits, DType::kF32), 1);
}

OpId ImageInput(Net& net, const ZooSpec& spec) {
  const int64_t image = spec.Integer("image");
  return net.Input("image", {image, image, 3});
}

OpId Stem(Net& net, OpId x, int64_t filters) {
  x = ConvNorm(net, "stem", x, Square(filters, 7, 2));
  net.Layer("pool");
  return MaxPool(net, x, 3, 2, 1);
}

absl::StatusOr<Graph> ClassifyMean(Net& net, OpId x, const ZooSpec& spec, double dropout) {
  net.Layer("average");
  x = net.Dropout(GlobalAverage(net, x), dropout);
  return net.Finish({Classify(net, x, spec.Integer("classes"))});
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

}  // namespace tilewise
