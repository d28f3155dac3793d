// Convolutions, norms, pools and the classifier of image models.

#include "zoo/convolution_block.h"

namespace tilewise {
namespace {

constexpr double kMovingMomentum =
    0.9;  // of moving statistics; any costs the same

WindowDim Window(int64_t size, int64_t stride, int64_t pad) {
  const int64_t side = pad == kSame ? size / 2 : pad;
  return {size, stride, side, side, 1};
}

std::vector<WindowDim> SquareWindow(int64_t size, int64_t stride, int64_t pad) {
  return {Window(size, stride, pad), Window(size, stride, pad)};
}

}  // namespace

Conv Square(int64_t filters, int64_t size, int64_t stride, int64_t pad) {
  return {.filters = filters,
          .height = size,
          .width = size,
          .stride = stride,
          .pad = pad};
}

OpId Convolve(Net& net, OpId x, const Conv& conv) {
  const OpId kernel = net.Weight(
      "kernel",
      {conv.height, conv.width, net.last_dim(x) / conv.groups, conv.filters});
  return net.builder.Convolution(x, kernel,
                                 {Window(conv.height, conv.stride, conv.pad),
                                  Window(conv.width, conv.stride, conv.pad)},
                                 conv.groups, false);
}

OpId BatchNorm(Net& net, OpId x, double epsilon) {
  const int64_t features = net.last_dim(x);
  const int64_t dim = net.shape(x).rank() - 1;
  const OpId scale = net.WideWeight("gamma", {features});
  const OpId offset = net.WideWeight("beta", {features});
  const OpId mean = net.State("moving_mean", {features});
  const OpId variance = net.State("moving_variance", {features});
  GraphBuilder& b = net.builder;
  const OpId wide = b.Convert(x, DType::kF32);
  const OpId y = net.training()
                     ? b.BatchNormTracking(wide, scale, offset, mean, variance,
                                           dim, epsilon, kMovingMomentum)
                     : b.BatchNormInference(wide, scale, offset, mean, variance,
                                            dim, epsilon);
  return b.Convert(y, net.compute_type());
}

OpId Activate(Net& net, OpId x, Activation activation) {
  if (activation == Activation::kNone) return x;
  const OpId y = net.Relu(x);
  return activation == Activation::kRelu
             ? y
             : net.builder.BinaryScalar(OpKind::kMinimum, y, 6);
}

OpId ConvNorm(Net& net, const std::string& layer, OpId x, const Conv& conv,
              Activation activation) {
  net.Layer(layer);
  const OpId y = Convolve(net, x, conv);
  net.Layer(layer + "_norm");
  return Activate(net, BatchNorm(net, y), activation);
}

OpId ConvBiasRelu(Net& net, const std::string& layer, OpId x,
                  const Conv& conv) {
  net.Layer(layer);
  return net.Relu(net.AddBias(Convolve(net, x, conv)));
}

OpId MaxPool(Net& net, OpId x, int64_t size, int64_t stride, int64_t pad) {
  return net.builder.ReduceWindow(Reducer::kMax, x,
                                  SquareWindow(size, stride, pad), false);
}

OpId AveragePool(Net& net, OpId x, int64_t size, int64_t stride, int64_t pad) {
  const OpId sum = net.builder.ReduceWindow(
      Reducer::kSum, x, SquareWindow(size, stride, pad), false);
  return net.Scale(sum, 1 / static_cast<double>(size * size));
}

OpId GlobalAverage(Net& net, OpId x) {
  const Shape shape = net.shape(x);
  const auto positions =
      static_cast<double>(shape.dims[1].factor * shape.dims[2].factor);
  return net.Scale(net.builder.Reduce(Reducer::kSum, x, {1, 2}), 1 / positions);
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

}  // namespace tilewise
