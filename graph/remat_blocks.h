// The forward pass cut into blocks for rematerialisation.

#pragma once

#include <vector>

#include "graph/graph.h"

namespace tilewise {

// Ops between two values that are all that later ops need, in order; the last
// one is the block's result. Each block holds a matmul or more.
struct RematBlock {
  std::vector<OpId> ops;
  bool is_tile = false;  // nothing in it is kept, whatever the policy says
  OpId result() const { return ops.back(); }
};

// The blocks of `forward`, in order. What needs no matmul (the prepared
// inputs: masks, embeddings) is in no block, and so are the ops after the last
// cut, whose gradients come first. Values that whole encoders or skip
// connections carry over a long stretch do not keep it from being cut.
std::vector<RematBlock> FindRematBlocks(const Graph& forward);

}  // namespace tilewise
