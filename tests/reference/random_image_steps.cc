// Steps of random graphs on images [N,H,W,C].

#include <algorithm>
#include <cmath>

#include "tests/reference/random_steps.h"

namespace tilewise::reference {
namespace {

int64_t SizeOf(const GraphBuilder& b, OpId x, size_t dim) { return b.shape(x).dims[dim].factor; }

// A window that fits the image, padded at random by less than its size.
std::vector<WindowDim> RandomWindow(const GraphBuilder& b, Dice& dice, OpId x, bool may_dilate) {
  std::vector<WindowDim> window(2);
  for (size_t i = 0; i < 2; ++i) {
    WindowDim& dim = window[i];
    const int64_t size = SizeOf(b, x, i + 1);
    dim.size = dice.Roll(1, std::min<int64_t>(3, size));
    dim.stride = dice.Roll(1, 2);
    dim.pad_low = dice.Roll(0, dim.size - 1);
    dim.pad_high = dice.Roll(0, dim.size - 1);
    const bool fits = 2 * (dim.size - 1) + 1 <= size;
    if (may_dilate && fits && dice.Coin()) dim.dilation = 2;
  }
  return window;
}

OpId KernelFor(GraphBuilder& b, const std::vector<WindowDim>& window, int64_t in, int64_t out) {
  const Shape shape = Shape::Of(DType::kF32, {window[0].size, window[1].size, in, out});
  const OpId kernel = b.Variable(shape, "kernel", true);
  const auto fan_in = static_cast<double>(window[0].size * window[1].size * in);
  return b.BinaryScalar(OpKind::kMultiply, kernel, 1 / std::sqrt(fan_in));
}

OpId Convolution(GraphBuilder& b, Dice& dice, OpId x) {
  const auto window = RandomWindow(b, dice, x, true);
  const int64_t channels = SizeOf(b, x, 3);
  const int64_t out = dice.Roll(1, 4);
  const OpId kernel = KernelFor(b, window, channels, out);
  return b.Convolution(x, kernel, window, 1, false);
}

OpId GroupedConvolution(GraphBuilder& b, Dice& dice, OpId x) {
  const auto window = RandomWindow(b, dice, x, false);
  const int64_t channels = SizeOf(b, x, 3);
  const bool depthwise = dice.Coin() || channels % 2 != 0;
  const int64_t groups = depthwise ? channels : 2;
  const int64_t out = groups * dice.Roll(1, channels > 4 ? 1 : 2);
  const OpId kernel = KernelFor(b, window, channels / groups, out);
  return b.Convolution(x, kernel, window, groups, false);
}

OpId ChannelsFirstConvolution(GraphBuilder& b, Dice& dice, OpId x) {
  const auto window = RandomWindow(b, dice, x, true);
  const OpId kernel = KernelFor(b, window, SizeOf(b, x, 3), dice.Roll(1, 4));
  const OpId first = b.Transpose(x, {0, 3, 1, 2});
  const OpId y = b.Convolution(first, kernel, window, 1, true);
  return b.Transpose(y, {0, 2, 3, 1});
}

OpId TransposedConvolution(GraphBuilder& b, Dice& dice, OpId x) {
  const int64_t height = SizeOf(b, x, 1);
  const int64_t width = SizeOf(b, x, 2);
  if (height > 3 || width > 3) return x;
  ConvAttrs forward;
  forward.window = {{.size = 2, .stride = 2}, {.size = 2, .stride = 2}};
  const int64_t out = dice.Roll(1, 3);
  const OpId kernel = KernelFor(b, forward.window, out, SizeOf(b, x, 3));
  const Shape to(DType::kF32,
                 {b.shape(x).dims[0], {2 * height, false}, {2 * width, false}, {out, false}});
  return b.ConvInputGrad(x, kernel, to, forward);
}

OpId MaxPool(GraphBuilder& b, Dice& dice, OpId x) {
  return b.ReduceWindow(Reducer::kMax, x, RandomWindow(b, dice, x, false), false);
}

OpId AveragePool(GraphBuilder& b, Dice& dice, OpId x) {
  const auto window = RandomWindow(b, dice, x, false);
  const OpId sum = b.ReduceWindow(Reducer::kSum, x, window, false);
  const auto count = static_cast<double>(window[0].size * window[1].size);
  return b.BinaryScalar(OpKind::kMultiply, sum, 1 / count);
}

OpId BatchNorm(GraphBuilder& b, Dice& dice, OpId x) {
  const Shape feature = Shape::Of(DType::kF32, {SizeOf(b, x, 3)});
  const OpId scale = b.Variable(feature, "scale", true);
  const OpId offset = b.Variable(feature, "offset", true);
  if (dice.Coin()) return b.BatchNormTraining(x, scale, offset, 3, 0.1);
  const OpId mean = b.Variable(feature, "mean", false);
  const OpId variance = b.Variable(feature, "variance", false);
  return b.BatchNormInference(x, scale, offset, mean, variance, 3, 0.1);
}

OpId PadImage(GraphBuilder& b, Dice& dice, OpId x) {
  if (SizeOf(b, x, 1) > 5) return x;
  const int64_t low = dice.Roll(0, 1);
  const int64_t high = dice.Roll(0, 1);
  const int64_t interior = dice.Roll(0, 1);
  return b.Pad(x, 0, {0, low, 1, 0}, {0, 1, high, 0}, {0, interior, 0, 0});
}

OpId CropImage(GraphBuilder& b, Dice& dice, OpId x) {
  const int64_t height = SizeOf(b, x, 1);
  const int64_t start = dice.Roll(0, (height - 1) / 2);
  return b.SliceDim(x, 1, start, height, dice.Roll(1, 2));
}

OpId SwapSides(GraphBuilder& b, Dice&, OpId x) { return b.Transpose(x, {0, 2, 1, 3}); }

OpId Doubled(GraphBuilder& b, Dice&, OpId x) {
  if (SizeOf(b, x, 3) > 3) return x;
  return b.Concatenate({x, b.Unary(OpKind::kTanh, x)}, 3);
}

OpId GlobalPool(GraphBuilder& b, Dice& dice, OpId x) {
  if (dice.Coin()) return b.Reduce(Reducer::kMax, x, {1, 2});
  const OpId sum = b.Reduce(Reducer::kSum, x, {1, 2});
  const auto count = static_cast<double>(SizeOf(b, x, 1) * SizeOf(b, x, 2));
  return b.BinaryScalar(OpKind::kMultiply, sum, 1 / count);
}

OpId RowsAsSequence(GraphBuilder& b, Dice&, OpId x) {
  const std::vector<Dim> dims = b.shape(x).dims;
  return b.Reshape(x, {dims[0], dims[1], {dims[2].factor * dims[3].factor, false}});
}

}  // namespace

const std::vector<RandomStep>& ImageSteps() {
  static const std::vector<RandomStep> steps = {
      Convolution, Convolution,   GroupedConvolution, ChannelsFirstConvolution,
      MaxPool,     AveragePool,   BatchNorm,          TransposedConvolution,
      PadImage,    CropImage,     SwapSides,          Doubled,
      GlobalPool,  RowsAsSequence};
  return steps;
}

}  // namespace tilewise::reference
