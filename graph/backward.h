// Reverse-mode differentiation of ops that are in a builder.

#pragma once

#include <vector>

#include "base/status.h"
#include "graph/graph_builder.h"
#include "graph/remat_blocks.h"
#include "graph/training.h"

namespace tilewise {

// What is computed again before a block's gradients. Ids of the builder.
struct RematPlan {
  RematPolicy policy;
  std::vector<RematBlock> blocks;  // ascending; none: all is kept
  RematAction ActionOn(const RematBlock& block, const Op& op) const {
    return block.is_tile ? RematAction::kRecompute : policy.ActionOn(op);
  }
};

// Adds the gradient of `seed` x `loss` (an f32 scalar) by every trainable
// variable that it depends on; the result has them by op id, kNoOp elsewhere.
// Errors: unimplemented when a differentiated op has no gradient (names it).
absl::StatusOr<std::vector<OpId>> AddGradients(GraphBuilder& builder, OpId loss, double seed,
                                               const RematPlan& plan);

}  // namespace tilewise
