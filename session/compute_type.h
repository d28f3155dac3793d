// A mixed precision policy put on a model that computes in f32.

#pragma once

#include <cstdint>

#include "base/status.h"
#include "graph/graph.h"

namespace tilewise {

// What becomes of the weights of a model that computes in another type.
enum class WeightType : uint8_t {
  kOwn,      // they are cast where they are used, as in training
  kCompute,  // they are stored in it, and inputs are fed in it: of a model that
             // was written out so. Vectors stay as they are.
};

// The static graph with f32 activations in `type`, as Keras builds it under
// mixed_bfloat16: variables stay f32 and are cast where they are used, unless
// `weights` says otherwise;
// normalisations, a last softmax and with it the loss compute in f32; results
// of the model are f32 again. In a training step that has its gradients, a
// scalar loss and the update of variables compute in f32 as well. Values of
// other types keep theirs. Errors: an op that cannot have that type.
absl::StatusOr<Graph> WithComputeType(const Graph& graph, DType type,
                                      WeightType weights = WeightType::kOwn);

}  // namespace tilewise
