// Activation functions, by their published formulas, written as XLA's
// frameworks write them for TPUs. All keep the shape and the floating-point
// type of x.

#pragma once

#include "graph/graph_builder.h"

namespace tilewise {

OpId Relu(GraphBuilder& builder, OpId x);
OpId Relu6(GraphBuilder& builder, OpId x);
OpId LeakyRelu(GraphBuilder& builder, OpId x, double alpha);
// `slope` broadcasts to x.
OpId Prelu(GraphBuilder& builder, OpId x, OpId slope);
// x > threshold ? x : 0.
OpId ThresholdedRelu(GraphBuilder& builder, OpId x, double threshold);
// x > 0 ? x : alpha (exp(x) - 1).
OpId Elu(GraphBuilder& builder, OpId x, double alpha = 1);
// gamma times elu (Klambauer et al. 2017).
inline constexpr double kSeluAlpha = 1.6732632423543772;
inline constexpr double kSeluGamma = 1.0507009873554805;
OpId Selu(GraphBuilder& builder, OpId x, double alpha = kSeluAlpha, double gamma = kSeluGamma);
// max(0, x) + min(0, alpha (exp(x / alpha) - 1)).
OpId Celu(GraphBuilder& builder, OpId x, double alpha);
// max(0, min(1, alpha x + beta)).
OpId HardSigmoid(GraphBuilder& builder, OpId x, double alpha, double beta);
// x times hard sigmoid of slope 1/6.
OpId HardSwish(GraphBuilder& builder, OpId x);
// x sigmoid(alpha x); alpha is 1.702 in "quick gelu".
OpId Swish(GraphBuilder& builder, OpId x, double alpha = 1);
// log(1 + exp(x)).
OpId Softplus(GraphBuilder& builder, OpId x);
// log(sigmoid(x)).
OpId LogSigmoid(GraphBuilder& builder, OpId x);
OpId Softsign(GraphBuilder& builder, OpId x);
// x tanh(softplus(x)).
OpId Mish(GraphBuilder& builder, OpId x);
// x beyond +-lambda moved towards 0 by bias, else 0.
OpId Shrink(GraphBuilder& builder, OpId x, double lambda, double bias);
// alpha tanh(beta x).
OpId ScaledTanh(GraphBuilder& builder, OpId x, double alpha, double beta);

// Gradients of x from that of the result y = f(x), which they are functions of.
OpId ReluGradient(GraphBuilder& builder, OpId y, OpId dy);
OpId SigmoidGradient(GraphBuilder& builder, OpId y, OpId dy);
OpId TanhGradient(GraphBuilder& builder, OpId y, OpId dy);

}  // namespace tilewise
