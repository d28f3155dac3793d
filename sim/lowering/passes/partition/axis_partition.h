// Rewrites a training or inference step for the cores of one mesh axis.

#pragma once

#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "hardware/mesh.h"

namespace tilewise {

enum class Sharing : uint8_t {
  // Matrix work, and what lies between, is shared: weights are stored by output
  // features, then by input features, as their uses alternate.
  kWork,
  // The same, and the terms that products leave on the cores are summed to
  // parts of positions: norms and residual streams run in parts, which are
  // gathered for the next product, as the frameworks' annotations have it.
  kWorkAndSums,
  // Weights and optimizer state are stored in parts; a weight is gathered
  // before its use, once for the forward and once for the backward pass; each
  // core updates its part.
  kWeights,
  // Optimizer state is stored in parts; each core updates its part of the
  // weights, which are gathered after that.
  kUpdate,
};

// The step as each of the `parts` cores of `axis` runs it; same outputs, state
// in the parts that are stored. With kWeights and kUpdate gradients, which are
// terms of a sum over the axis, are summed before the update.
absl::StatusOr<Graph> PartitionAxis(const Graph& graph, MeshAxis axis,
                                    int64_t parts, Sharing sharing);

}  // namespace tilewise
