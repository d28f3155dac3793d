// Softmax and its relatives, and normalisations over any dims. Weights may be
// kNoOp: none.

#pragma once

#include <vector>

#include "graph/graph_builder.h"

namespace tilewise {

// These work over one dim. Integers are refused by the builder.
OpId SoftmaxOf(GraphBuilder& builder, OpId x, int64_t dim);
OpId LogSoftmaxOf(GraphBuilder& builder, OpId x, int64_t dim);
// 1 at the first maximum along dim, else 0.
OpId HardmaxOf(GraphBuilder& builder, OpId x, int64_t dim);
// `over` applied to the dims from `axis` on as if they were one.
using OverOneDim = OpId (*)(GraphBuilder&, OpId, int64_t);
OpId OverTrailingDims(GraphBuilder& builder, OpId x, int64_t axis, OverOneDim over);

// Normalizes over `dims`, ascending; scale and offset have these dims or
// broadcast to them. It computes in f32 when `in_f32`, and returns the type of
// x.
OpId LayerNormOf(GraphBuilder& builder, OpId x, OpId scale, OpId offset,
                 const std::vector<int64_t>& dims, double epsilon, bool in_f32 = true);
// x / sqrt(mean(x^2) + epsilon) * scale, in f32 for 16-bit numbers; a scale of
// the type of x is applied to the result in that type.
OpId RmsNorm(GraphBuilder& builder, OpId x, OpId scale, const std::vector<int64_t>& dims,
             double epsilon);
// Normalizes per example and group of the features, in f32 for 16-bit numbers;
// scale and offset are per feature or per group. With as many groups as
// features, it is an instance norm.
OpId GroupNorm(GraphBuilder& builder, OpId x, OpId scale, OpId offset, int64_t groups,
               double epsilon, int64_t feature_dim = 1);
// The same as Flax writes it: only the statistics are those of groups, and what
// is normalised keeps its features together.
OpId GroupNormOfFeatures(GraphBuilder& builder, OpId x, OpId scale, OpId offset, int64_t groups,
                         double epsilon, int64_t feature_dim);
// x / ||x||_p along a dim, p 1 or 2.
OpId LpNormalize(GraphBuilder& builder, OpId x, int64_t dim, int64_t p);
// 1 / sqrt(variance + epsilon).
OpId InverseDeviation(GraphBuilder& builder, OpId variance, double epsilon);
// x times 1 / ||x|| along a dim, as tf.math.l2_normalize writes it.
OpId UnitLength(GraphBuilder& builder, OpId x, int64_t dim);
// (x - mean) / deviation over dims.
OpId Standardize(GraphBuilder& builder, OpId x, const std::vector<int64_t>& dims, double epsilon);

// x / (bias + alpha_per_element * sum of squares of `size` neighbours along
// dim)^beta.
struct LocalResponse {
  int64_t size = 5;
  double alpha_per_element = 1e-4;
  double beta = 0.75;
  double bias = 1;
};
OpId LocalResponseNorm(GraphBuilder& builder, OpId x, int64_t dim, const LocalResponse& options);
// The gradient of x from that of the result y.
OpId LocalResponseGradient(GraphBuilder& builder, OpId x, OpId y, OpId dy, int64_t dim,
                           const LocalResponse& options);

// Statistics are variables in the graph of a model that trains.
struct BatchNormInputs {
  OpId scale = kNoOp, offset = kNoOp, mean = kNoOp, variance = kNoOp;
};
// Normalizes with the given statistics, or with those of the batch
// (`training`), which update mean and variance when these are variables.
OpId BatchNormOf(GraphBuilder& builder, OpId x, const BatchNormInputs& inputs, int64_t feature_dim,
                 double epsilon, bool training, double momentum = 0.9);

// These are the mean and E[x^2] - E[x]^2 of each feature of x, in f32, in one
// sweep as graph/moments.h has them, so that those of the norm itself are the
// same ops.
struct FeatureStatistics {
  OpId mean = kNoOp;
  OpId variance = kNoOp;
};
FeatureStatistics StatisticsOf(GraphBuilder& builder, OpId x, int64_t feature_dim);
// The gradients of a batch norm from that of its result, scale and offset in
// f32. In training, mean and variance depend on x too (Ioffe and Szegedy 2015,
// section 3).
struct BatchNormGradients {
  OpId x = kNoOp;
  OpId scale = kNoOp;
  OpId offset = kNoOp;
};
BatchNormGradients BatchNormGradientOf(GraphBuilder& builder, OpId x, OpId dy,
                                       const BatchNormInputs& inputs, int64_t feature_dim,
                                       double epsilon, bool training);

}  // namespace tilewise
