// Matmuls of any rank as one dot.

#pragma once

#include "graph/graph_builder.h"

namespace tilewise {

struct MatMulOptions {
  bool transpose_x = false;  // of the last two dims
  bool transpose_y = false;
  bool wide = false;  // s32 of integers, f32 of floats
  int64_t precision_passes = 1;
};

// numpy's matmul: the last two dims are matrices, those before are broadcast;
// a vector is a row on the left and a column on the right and leaves no dim.
// Types are brought together.
OpId NumpyMatMul(GraphBuilder& builder, OpId x, OpId y, const MatMulOptions& options = {});

// numpy's tensordot: the dims of x and of y, pair by pair, are summed over.
OpId TensorDot(GraphBuilder& builder, OpId x, OpId y, const std::vector<int64_t>& x_dims,
               const std::vector<int64_t>& y_dims);

}  // namespace tilewise
