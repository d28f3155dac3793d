// Selects and maxima as the frameworks write them, so that fusion sees the same
// ops.

#include "library/activations.h"

#include "library/term.h"

namespace tilewise {
namespace {

Term Positive(Term x) { return Compared(Comparison::kGt, x, 0); }

}  // namespace

OpId Relu(GraphBuilder& builder, OpId x) { return Max({builder, x}, 0).id; }

OpId Relu6(GraphBuilder& builder, OpId x) { return Min(Max({builder, x}, 0), 6).id; }

OpId LeakyRelu(GraphBuilder& builder, OpId op, double alpha) {
  const Term x(builder, op);
  return Where(Positive(x), x, x * alpha).id;
}

OpId Prelu(GraphBuilder& builder, OpId op, OpId slope) {
  const Term x(builder, op);
  return Where(Positive(x), x, x * Cast({builder, slope}, x.shape().dtype)).id;
}

OpId ThresholdedRelu(GraphBuilder& builder, OpId op, double threshold) {
  const Term x(builder, op);
  return Where(Compared(Comparison::kGt, x, threshold), x, x.Like(0)).id;
}

// This is elu as tf2xla and jax.nn write it, with expm1.
OpId Elu(GraphBuilder& builder, OpId op, double alpha) {
  const Term x(builder, op);
  Term below = Unary(OpKind::kExpMinusOne, x);
  if (alpha != 1) below = below * alpha;
  return Where(Positive(x), x, below).id;
}

OpId Selu(GraphBuilder& builder, OpId x, double alpha, double gamma) {
  return (Term(builder, Elu(builder, x, alpha)) * gamma).id;
}

OpId Celu(GraphBuilder& builder, OpId op, double alpha) {
  const Term x(builder, op);
  const Term below = Unary(OpKind::kExpMinusOne, x / alpha) * alpha;
  return (Max(x, 0) + Min(below, 0)).id;
}

OpId HardSigmoid(GraphBuilder& builder, OpId x, double alpha, double beta) {
  return Min(Max(Term(builder, x) * alpha + beta, 0), 1).id;
}

OpId HardSwish(GraphBuilder& builder, OpId op) {
  const Term x(builder, op);
  return (x * x.Of(HardSigmoid(builder, op, 1.0 / 6, 0.5))).id;
}

OpId Swish(GraphBuilder& builder, OpId op, double alpha) {
  const Term x(builder, op);
  return (x * Sigmoid(alpha == 1 ? x : x * alpha)).id;
}

// max(x, 0) + log1p(exp(-|x|)), which does not overflow: jax.nn's logaddexp(x,
// 0) and tf2xla until 2020. Later versions of tf2xla choose between x, exp(x)
// and log1p(exp(x)) by two comparisons, which is the same work.
OpId Softplus(GraphBuilder& builder, OpId op) {
  const Term x(builder, op);
  return (Max(x, 0) + Unary(OpKind::kLogPlusOne, Exp(-Abs(x)))).id;
}

// -softplus(-x) in all frameworks.
OpId LogSigmoid(GraphBuilder& builder, OpId op) {
  const Term x(builder, op);
  return (-x.Of(Softplus(builder, (-x).id))).id;
}

OpId Softsign(GraphBuilder& builder, OpId op) {
  const Term x(builder, op);
  return (x / (Abs(x) + 1)).id;
}

OpId Mish(GraphBuilder& builder, OpId op) {
  const Term x(builder, op);
  return (x * Tanh(x.Of(Softplus(builder, op)))).id;
}

OpId Shrink(GraphBuilder& builder, OpId op, double lambda, double bias) {
  const Term x(builder, op);
  const Term above = Where(Compared(Comparison::kGt, x, lambda), x - bias, x.Like(0));
  return Where(Compared(Comparison::kLt, x, -lambda), x + bias, above).id;
}

OpId ScaledTanh(GraphBuilder& builder, OpId x, double alpha, double beta) {
  return (Tanh(Term(builder, x) * beta) * alpha).id;
}

OpId ReluGradient(GraphBuilder& builder, OpId y, OpId op) {
  const Term dy(builder, op);
  return Where(Positive({builder, y}), dy, dy.Like(0)).id;
}

OpId SigmoidGradient(GraphBuilder& builder, OpId op, OpId dy) {
  const Term y(builder, op);
  return (Term(builder, dy) * y * (1 - y)).id;
}

OpId TanhGradient(GraphBuilder& builder, OpId y, OpId dy) {
  return (Term(builder, dy) * (1 - Square(Term(builder, y)))).id;
}

}  // namespace tilewise
