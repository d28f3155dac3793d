// What graph rewriting fused behind a matmul or convolution: bias, batch norm,
// activations, by name in the attribute fused_ops.

#pragma once

#include "frontend/tensorflow/ops/op_context.h"

namespace tilewise::tf {

// Sets result 0 to y with the node's fused_ops applied, in order; their
// operands begin at `first`. Nothing is fused: y itself.
absl::Status SetWithEpilogue(OpContext& ctx, OpId y, int64_t first, bool channels_first);

}  // namespace tilewise::tf
