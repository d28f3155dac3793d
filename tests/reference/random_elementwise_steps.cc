// Steps of random graphs that keep the shape, and the dense layer.

#include <cmath>

#include "tests/reference/random_steps.h"

namespace tilewise::reference {
namespace {

OpId Relu(GraphBuilder& b, Dice&, OpId x) { return b.BinaryScalar(OpKind::kMaximum, x, 0); }

OpId SmoothUnary(GraphBuilder& b, Dice& dice, OpId x) {
  const std::vector<OpKind> kinds = {OpKind::kTanh, OpKind::kLogistic, OpKind::kErf,
                                     OpKind::kSine, OpKind::kCosine,   OpKind::kNegate,
                                     OpKind::kAbs};
  const auto last = static_cast<int64_t>(kinds.size()) - 1;
  return b.Unary(kinds[dice.Roll(0, last)], x);
}

// Bits of the sign decide; what is computed of them has no slope.
OpId SignGate(GraphBuilder& b, Dice&, OpId x) {
  const OpId up = b.Convert(b.Unary(OpKind::kCeil, b.Unary(OpKind::kTanh, x)), DType::kS32);
  const OpId odd = b.BinaryScalar(OpKind::kXor, up, 3);
  const OpId gate = b.Convert(b.BinaryScalar(OpKind::kShiftLeft, odd, 1), b.shape(x).dtype);
  return b.Binary(OpKind::kMultiply, x, b.BinaryScalar(OpKind::kMultiply, gate, 0.125));
}

OpId BoundedExp(GraphBuilder& b, Dice&, OpId x) {
  return b.Unary(OpKind::kExp, b.Unary(OpKind::kTanh, x));
}

// log, sqrt or rsqrt of 1 + x^2.
OpId PositiveUnary(GraphBuilder& b, Dice& dice, OpId x) {
  const OpId square = b.Binary(OpKind::kMultiply, x, x);
  const OpId positive = b.BinaryScalar(OpKind::kAdd, square, 1);
  const std::vector<OpKind> kinds = {OpKind::kLog, OpKind::kSqrt, OpKind::kRsqrt};
  return b.Unary(kinds[dice.Roll(0, 2)], positive);
}

OpId Softsign(GraphBuilder& b, Dice&, OpId x) {
  const OpId below = b.BinaryScalar(OpKind::kAdd, b.Unary(OpKind::kAbs, x), 1);
  return b.Binary(OpKind::kDivide, x, below);
}

OpId Residual(GraphBuilder& b, Dice&, OpId x) {
  const OpId half = b.BinaryScalar(OpKind::kMultiply, x, 0.5);
  return b.Binary(OpKind::kAdd, b.Unary(OpKind::kTanh, x), half);
}

OpId Gelu(GraphBuilder& b, Dice& dice, OpId x) { return b.Gelu(x, dice.Coin()); }

OpId Dropout(GraphBuilder& b, Dice&, OpId x) {
  const Shape shape = b.shape(x);
  const OpId noise = b.Rng(OpKind::kRngUniform, shape);
  const OpId limit = b.BroadcastTo(b.Scalar(0.7, shape.dtype), shape.dims);
  const OpId kept = b.Compare(Comparison::kLt, noise, limit);
  const OpId zeros = b.BroadcastTo(b.Scalar(0, shape.dtype), shape.dims);
  const OpId scaled = b.BinaryScalar(OpKind::kMultiply, x, 1 / 0.7);
  return b.Select(kept, scaled, zeros);
}

OpId LowPrecision(GraphBuilder& b, Dice&, OpId x) {
  const OpId low = b.Unary(OpKind::kTanh, b.Convert(x, DType::kBF16));
  return b.Convert(low, DType::kF32);
}

OpId MiddleOfThree(GraphBuilder& b, Dice&, OpId x) {
  const OpId low = b.BinaryScalar(OpKind::kMaximum, x, -0.75);
  return b.BinaryScalar(OpKind::kMinimum, low, 0.75);
}

OpId BothWays(GraphBuilder& b, Dice& dice, OpId x) {
  const int64_t dim = dice.Roll(1, b.shape(x).rank() - 1);
  return b.Binary(OpKind::kSubtract, b.Reverse(x, {dim}),
                  b.BinaryScalar(OpKind::kMultiply, x, 0.25));
}

OpId ChannelGate(GraphBuilder& b, Dice&, OpId x) {
  const std::vector<Dim> dims = b.shape(x).dims;
  const OpId gate = b.Variable({DType::kF32, {dims.back()}}, "gate", true);
  return b.Binary(OpKind::kMultiply, x, b.BroadcastTo(gate, dims));
}

}  // namespace

OpId Flattened(GraphBuilder& b, OpId x) {
  const std::vector<Dim> dims = b.shape(x).dims;
  int64_t features = 1;
  for (size_t i = 1; i < dims.size(); ++i) features *= dims[i].factor;
  return b.Reshape(x, {dims[0], {features, false}});
}

OpId DenseLayer(GraphBuilder& b, OpId x, int64_t units) {
  const std::vector<Dim> dims = b.shape(x).dims;
  const int64_t in = dims.back().factor;
  const OpId kernel = b.Variable(Shape::Of(DType::kF32, {in, units}), "kernel", true);
  const OpId bias = b.Variable(Shape::Of(DType::kF32, {units}), "bias", true);
  const double scale = 1 / std::sqrt(static_cast<double>(in));
  const OpId y = b.BinaryScalar(OpKind::kMultiply, b.MatMul(x, kernel), scale);
  return b.Binary(OpKind::kAdd, y, b.BroadcastTo(bias, b.shape(y).dims));
}

const std::vector<RandomStep>& ElementwiseSteps() {
  static const std::vector<RandomStep> steps = {Relu,     SmoothUnary, BoundedExp,   PositiveUnary,
                                                Softsign, Residual,    Gelu,         Dropout,
                                                BothWays, ChannelGate, LowPrecision, MiddleOfThree};
  return steps;
}

const std::vector<RandomStep>& RareElementwiseSteps() {
  static const std::vector<RandomStep> steps = {SignGate};
  return steps;
}

}  // namespace tilewise::reference
