// Selects and maxima as the frameworks write them, so that fusion sees the same
// ops.

#include "library/activations.h"

#include "library/broadcast.h"

namespace tilewise {
namespace {

OpId IsPositive(GraphBuilder& builder, OpId x) {
  return CompareScalar(builder, Comparison::kGt, x, 0);
}

}  // namespace

OpId Relu(GraphBuilder& builder, OpId x) {
  return WithScalar(builder, OpKind::kMaximum, x, 0);
}

OpId LeakyRelu(GraphBuilder& builder, OpId x, double alpha) {
  const OpId scaled = WithScalar(builder, OpKind::kMultiply, x, alpha);
  return builder.Select(IsPositive(builder, x), x, scaled);
}

OpId Prelu(GraphBuilder& builder, OpId x, OpId slope) {
  slope = builder.Convert(slope, builder.shape(x).dtype);
  const OpId scaled = BinaryOf(builder, OpKind::kMultiply, x, slope);
  return builder.Select(IsPositive(builder, x), x, scaled);
}

OpId ThresholdedRelu(GraphBuilder& builder, OpId x, double threshold) {
  const OpId above = CompareScalar(builder, Comparison::kGt, x, threshold);
  return builder.Select(above, x, FilledLike(builder, x, 0));
}

OpId Elu(GraphBuilder& builder, OpId x, double alpha) {
  OpId below = builder.Unary(OpKind::kExpMinusOne, x);
  if (alpha != 1) below = WithScalar(builder, OpKind::kMultiply, below, alpha);
  return builder.Select(IsPositive(builder, x), x, below);
}

OpId Selu(GraphBuilder& builder, OpId x, double alpha, double gamma) {
  return WithScalar(builder, OpKind::kMultiply, Elu(builder, x, alpha), gamma);
}

OpId Celu(GraphBuilder& builder, OpId x, double alpha) {
  OpId below = builder.Unary(OpKind::kExpMinusOne,
                             WithScalar(builder, OpKind::kDivide, x, alpha));
  below = WithScalar(builder, OpKind::kMultiply, below, alpha);
  return builder.Binary(OpKind::kAdd, Relu(builder, x),
                        WithScalar(builder, OpKind::kMinimum, below, 0));
}

OpId HardSigmoid(GraphBuilder& builder, OpId x, double alpha, double beta) {
  x = WithScalar(builder, OpKind::kMultiply, x, alpha);
  return Clamp(builder, WithScalar(builder, OpKind::kAdd, x, beta), 0, 1);
}

OpId HardSwish(GraphBuilder& builder, OpId x) {
  return builder.Binary(OpKind::kMultiply, x,
                        HardSigmoid(builder, x, 1.0 / 6, 0.5));
}

OpId Swish(GraphBuilder& builder, OpId x, double alpha) {
  OpId inner = x;
  if (alpha != 1) inner = WithScalar(builder, OpKind::kMultiply, x, alpha);
  return builder.Binary(OpKind::kMultiply, x,
                        builder.Unary(OpKind::kLogistic, inner));
}

OpId Softplus(GraphBuilder& builder, OpId x) {
  // max(x, 0) + log1p(exp(-|x|)), which does not overflow.
  const OpId small = builder.Unary(
      OpKind::kExp,
      builder.Unary(OpKind::kNegate, builder.Unary(OpKind::kAbs, x)));
  return builder.Binary(OpKind::kAdd, Relu(builder, x),
                        builder.Unary(OpKind::kLogPlusOne, small));
}

OpId Softsign(GraphBuilder& builder, OpId x) {
  const OpId below =
      WithScalar(builder, OpKind::kAdd, builder.Unary(OpKind::kAbs, x), 1);
  return builder.Binary(OpKind::kDivide, x, below);
}

OpId Mish(GraphBuilder& builder, OpId x) {
  return builder.Binary(OpKind::kMultiply, x,
                        builder.Unary(OpKind::kTanh, Softplus(builder, x)));
}

OpId Shrink(GraphBuilder& builder, OpId x, double lambda, double bias) {
  const OpId zero = FilledLike(builder, x, 0);
  const OpId above =
      builder.Select(CompareScalar(builder, Comparison::kGt, x, lambda),
                     WithScalar(builder, OpKind::kSubtract, x, bias), zero);
  return builder.Select(CompareScalar(builder, Comparison::kLt, x, -lambda),
                        WithScalar(builder, OpKind::kAdd, x, bias), above);
}

OpId ScaledTanh(GraphBuilder& builder, OpId x, double alpha, double beta) {
  x = WithScalar(builder, OpKind::kMultiply, x, beta);
  return WithScalar(builder, OpKind::kMultiply, builder.Unary(OpKind::kTanh, x),
                    alpha);
}

OpId QuickGelu(GraphBuilder& builder, OpId x, double alpha) {
  return Swish(builder, x, alpha);
}

}  // namespace tilewise
