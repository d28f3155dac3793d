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

struct StageSchedule {
  int64_t stages = 1;
  int64_t microbatches = 1;  // a multiple of the stages
  int64_t repeats = 1;       // groups of layers of a stage
  int64_t rounds() const { return repeats * microbatches + stages - 1; }
};

// The forward graph of one of the cores, which work on parts of their batches: every
// core takes in and gives out as many of them as the others, and `forward` is at the
// size of one. A round runs one group of the layers of a stage on one part and hands
// the result to the next core; all cores run all rounds, also while their stage has no
// part yet or none any more, as programs of one loop over rounds do. Where a stage has
// several groups, all parts pass through the stages once for each; what comes back to
// the first stage waits there for its turn. Errors: no layers that are alike, or a
// number of them that stages x repeats does not divide.
absl::StatusOr<StagedGraph> ShareStages(const Graph& forward, const StageSchedule& schedule);

}  // namespace tilewise
