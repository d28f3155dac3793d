// The grid of a flash attention kernel.

#pragma once

#include "sim/lowering/kernels/op_work.h"

namespace tilewise {

// Pairs of blocks that a core passes over, with those that the causal mask
// hides: they cost a step, too. 0 for the kernel with a bias, whose published
// times on v4 leave no room for what steps cost beside units that take turns.
int64_t AttentionSteps(const OpContext& context, const Op& op);

}  // namespace tilewise
