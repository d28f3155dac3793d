// Activation functions, by their published formulas. All keep the shape and the
// floating-point type of x.

#pragma once

#include "graph/graph_builder.h"

namespace tilewise {

OpId Relu(GraphBuilder& builder, OpId x);
OpId LeakyRelu(GraphBuilder& builder, OpId x, double alpha);
// `slope` broadcasts to x.
OpId Prelu(GraphBuilder& builder, OpId x, OpId slope);
// x > threshold ? x : 0.
OpId ThresholdedRelu(GraphBuilder& builder, OpId x, double threshold);
// x > 0 ? x : alpha (exp(x) - 1).
OpId Elu(GraphBuilder& builder, OpId x, double alpha);
// gamma times elu.
OpId Selu(GraphBuilder& builder, OpId x, double alpha, double gamma);
// max(0, x) + min(0, alpha (exp(x / alpha) - 1)).
OpId Celu(GraphBuilder& builder, OpId x, double alpha);
// max(0, min(1, alpha x + beta)).
OpId HardSigmoid(GraphBuilder& builder, OpId x, double alpha, double beta);
// x times hard sigmoid of slope 1/6.
OpId HardSwish(GraphBuilder& builder, OpId x);
// x sigmoid(alpha x).
OpId Swish(GraphBuilder& builder, OpId x, double alpha = 1);
// log(1 + exp(x)).
OpId Softplus(GraphBuilder& builder, OpId x);
OpId Softsign(GraphBuilder& builder, OpId x);
// x tanh(softplus(x)).
OpId Mish(GraphBuilder& builder, OpId x);
// x beyond +-lambda moved towards 0 by bias, else 0.
OpId Shrink(GraphBuilder& builder, OpId x, double lambda, double bias);
// alpha tanh(beta x).
OpId ScaledTanh(GraphBuilder& builder, OpId x, double alpha, double beta);
// x sigmoid(1.702 x).
OpId QuickGelu(GraphBuilder& builder, OpId x, double alpha = 1.702);

}  // namespace tilewise
