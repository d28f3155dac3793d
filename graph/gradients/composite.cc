// Gradients of softmax, cross entropy and GELU in their closed forms, which
// need less than differentiating what they are made of.

#include <cmath>
#include <numbers>

#include "graph/gradients/gradient.h"
#include "graph/moments.h"

namespace tilewise {
namespace {

OpId Product(GraphBuilder& b, OpId x, OpId y) {
  return b.Binary(OpKind::kMultiply, x, y);
}

// 1 where the class index is the label, else 0.
OpId OneHot(GraphBuilder& b, OpId labels, const Shape& logits) {
  const DType ids = b.shape(labels).dtype;
  const int64_t classes_dim = logits.rank() - 1;
  const OpId iota = b.Iota(logits.WithType(ids), classes_dim);
  const OpId wanted =
      b.Broadcast(labels, logits.dims, OtherDims(logits.rank(), {classes_dim}));
  const OpId equal = b.Compare(Comparison::kEq, iota, wanted);
  return b.Convert(equal, logits.dtype);
}

// Phi(x) + x phi(x), with the normal distribution's Phi and density phi.
OpId ExactGeluSlope(GraphBuilder& b, OpId x) {
  const OpId scaled =
      b.BinaryScalar(OpKind::kMultiply, x, 1 / std::numbers::sqrt2);
  const OpId phi = b.BinaryScalar(
      OpKind::kMultiply,
      b.BinaryScalar(OpKind::kAdd, b.Unary(OpKind::kErf, scaled), 1), 0.5);
  const OpId exponent =
      b.BinaryScalar(OpKind::kMultiply, Product(b, x, x), -0.5);
  const OpId density =
      b.BinaryScalar(OpKind::kMultiply, b.Unary(OpKind::kExp, exponent),
                     1 / std::sqrt(2 * std::numbers::pi));
  return b.Binary(OpKind::kAdd, phi, Product(b, x, density));
}

// y = x (1 + t) / 2, t = tanh(u), u = c (x + 0.044715 x^3):
// (1 + t) / 2 + x (1 - t^2) u' / 2.
OpId TanhGeluSlope(GraphBuilder& b, OpId x) {
  constexpr double kCubic = 0.044715;
  const double c = std::sqrt(2 / std::numbers::pi);
  const OpId square = Product(b, x, x);
  const OpId cubic = b.BinaryScalar(OpKind::kMultiply, square, kCubic);
  const OpId inner = Product(b, x, b.BinaryScalar(OpKind::kAdd, cubic, 1));
  const OpId t =
      b.Unary(OpKind::kTanh, b.BinaryScalar(OpKind::kMultiply, inner, c));
  const OpId half = b.BinaryScalar(OpKind::kMultiply,
                                   b.BinaryScalar(OpKind::kAdd, t, 1), 0.5);
  const OpId flat = b.BinaryScalar(
      OpKind::kAdd, b.Unary(OpKind::kNegate, Product(b, t, t)), 1);
  const OpId inner_slope = b.BinaryScalar(
      OpKind::kAdd,
      b.BinaryScalar(OpKind::kMultiply, square, 3 * kCubic * c / 2), c / 2);
  const OpId bend = Product(b, Product(b, x, flat), inner_slope);
  return b.Binary(OpKind::kAdd, half, bend);
}

}  // namespace

// y (dy - sum(y dy)), summed in f32.
Gradients SoftmaxGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const std::vector<int64_t>& dims = call.op.attrs->dims;
  const OpId y = b.Convert(call.op.id, DType::kF32);
  const OpId dy = b.Convert(call.dy, DType::kF32);
  const OpId sum = b.Reduce(Reducer::kSum, Product(b, y, dy), dims);
  const OpId centered =
      b.Binary(OpKind::kSubtract, dy, SpreadOver(b, sum, y, dims));
  return {b.Convert(Product(b, y, centered), call.op.shape.dtype)};
}

// (softmax(logits) - labels) dy: each row of labels sums to 1, as is usual.
Gradients CrossEntropyGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const Shape logits = call.shape(0);
  const int64_t classes_dim = logits.rank() - 1;
  const OpId labels = call.operand(1);
  const OpId probabilities = b.Softmax(call.operand(0), classes_dim);
  const OpId dy = SpreadOver(b, call.dy, call.operand(0), {classes_dim});
  Gradients result(2, kNoOp);
  if (call.wants(0)) {
    const bool ids = call.shape(1) != logits;
    const OpId rows = ids ? OneHot(b, labels, logits) : labels;
    result[0] =
        Product(b, b.Binary(OpKind::kSubtract, probabilities, rows), dy);
  }
  if (call.wants(1)) {
    const OpId log = b.Unary(OpKind::kLog, probabilities);
    result[1] = b.Unary(OpKind::kNegate, Product(b, log, dy));
  }
  return result;
}

Gradients GeluGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId x = call.operand(0);
  const OpId slope =
      call.op.attrs->approximate ? TanhGeluSlope(b, x) : ExactGeluSlope(b, x);
  return {Product(b, call.dy, slope)};
}

}  // namespace tilewise
