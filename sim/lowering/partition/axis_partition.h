// Rewrites a training or inference step for the cores of one mesh axis.

#pragma once

#include <functional>
#include <string>

#include "base/status.h"
#include "graph/graph.h"

namespace tilewise {

enum class Sharing : uint8_t {
  // Matrix work, and what lies between, is shared: weights are stored by output
  // features, then by input features, as their uses alternate.
  kWork,
  // The same, and the terms that matmuls leave on the cores are summed to
  // parts of positions: norms and residual streams run in parts, which are
  // gathered for the next matmul, as the frameworks' annotations have it.
  kWorkAndSums,
  // Weights and optimizer state are stored in parts; a weight is gathered
  // before its use, once for the forward and once for the backward pass; each
  // core updates its part.
  kWeights,
  // Experts are stored whole, some on each core, and tokens move to them and
  // back; all else is left as it is.
  kExperts,
  // Optimizer state is stored in parts; each core updates its part of the
  // weights, which are gathered after that.
  kUpdate,
};

// The cores that collective values, and what they store in parts.
struct SharedAxis {
  std::string name;  // of a mesh axis, or several that JoinAxes joined
  int64_t parts = 1;
  // This says with kWeights which variables are stored so, and whose gradients
  // are summed: nullptr stands for those that are of no variable's shape; with
  // kWork it says which variables may be. All are if it is empty.
  std::function<bool(const Op* variable)> stores = nullptr;
};

// The step as each of the cores of `axis` runs it; same outputs, state in the
// parts that are stored. With kWeights and kUpdate gradients, which are terms
// of a sum over the axis, are summed before the update.
absl::StatusOr<Graph> PartitionAxis(const Graph& graph, const SharedAxis& axis, Sharing sharing);

}  // namespace tilewise
