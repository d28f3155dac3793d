// Pipeline parallelism: each core has some of the layers.

#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "sim/lowering/repeats/find_repeats.h"

namespace tilewise {

// What one core of a pipeline runs.
struct StagedGraph {
  Graph graph;
  std::vector<OpId> origins;  // by op of `graph`: the op of the whole one
  Repeat layers;              // of the whole graph: those that the stages share
};

// The forward graph of one of `stages` cores, which work on `microbatches` parts of
// their batches, a multiple of the stages: every core takes in and gives out as many
// of them as the others, and `forward` is at the size of one. A round runs the
// layers of one stage on one part and hands the result to the next core; all cores
// run all rounds, also while their stage has no part yet or none any more, as
// programs of one loop over rounds do. Errors: no layers that are alike, or a number
// of them that the stages do not divide.
absl::StatusOr<StagedGraph> ShareStages(const Graph& forward, int64_t stages, int64_t microbatches);

}  // namespace tilewise
