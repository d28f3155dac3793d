// A mixed precision policy put on a model that computes in f32.

#pragma once

#include "base/status.h"
#include "graph/graph.h"

namespace tilewise {

// The static graph with f32 activations in `type`, as Keras builds it under
// mixed_bfloat16: variables stay f32 and are cast where they are used;
// normalisations, a last softmax and with it the loss compute in f32; results
// of the model are f32 again. In a training step that has its gradients, a
// scalar loss and the update of variables compute in f32 as well. Values of
// other types keep theirs. Errors: an op that cannot have that type.
absl::StatusOr<Graph> WithComputeType(const Graph& graph, DType type);

}  // namespace tilewise
