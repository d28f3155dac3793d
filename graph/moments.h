// Mean and variance as ops, written once for the norms and their gradients, so
// that both make the same ops and the later merging of equal ops finds them.

#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph_builder.h"

namespace tilewise {

// The dims below `rank` that are not in `dims`, ascending.
std::vector<int64_t> OtherDims(int64_t rank, const std::vector<int64_t>& dims);

// Elements of one group when `dims` of `shape` (static) are reduced.
double GroupSize(const Shape& shape, const std::vector<int64_t>& dims);

struct Moments {
  OpId mean = kNoOp;
  OpId reciprocal_deviation = kNoOp;  // 1 / sqrt(variance + epsilon)
  OpId variance = kNoOp;              // kNoOp when not asked for
};

// Returns the moments of f32 `x` over `dims`. Sum and sum of squares need one
// sweep over x, which is why the variance is E[x^2] - E[x]^2.
Moments MomentsOf(GraphBuilder& b, OpId x, const std::vector<int64_t>& dims, double epsilon);

// (x - mean) / deviation for moments over `dims`.
OpId Normalized(GraphBuilder& b, OpId x, const Moments& moments, const std::vector<int64_t>& dims);

// The new values of the moving statistics of `norm`, a batch norm in training
// that has them as operands 3 and 4:
// momentum x old + (1 - momentum) x that of the batch.
struct MovingMoments {
  OpId mean = kNoOp;
  OpId variance = kNoOp;
};
MovingMoments TrackMoments(GraphBuilder& b, const Op& norm);

// Spreads an array over the dims that were not reduced back to x's dims.
OpId SpreadOver(GraphBuilder& b, OpId array, OpId x, const std::vector<int64_t>& reduced);

}  // namespace tilewise
