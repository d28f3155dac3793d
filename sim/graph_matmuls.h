// The matrix matmuls of a graph, as an array without a memory system sees
// them: a convolution is the matmul that its im2col form has.

#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "sim/systolic.h"

namespace tilewise {

struct OpMatmul {
  OpId op = kNoOp;
  MatmulShape shape;
  int64_t repeats = 1;  // alike: of a batch, of groups, of time steps
};

// Returns the matmuls in definition order; an attention has two, a recurrent
// cell one a time step (that of its state). `graph` is bound. For convolutions,
// m is batch x output positions, k is kernel positions x input features of a
// group, n the output features of a group. Gradients are not there before the
// lowering, and decomposed convolution gradients are not matmuls of an array:
// they are left out.
std::vector<OpMatmul> MatmulsOf(const Graph& graph);

}  // namespace tilewise
