// Loops over layers, each iteration of which has weights of its own.

#pragma once

#include <utility>
#include <vector>

#include "graph/graph.h"

namespace tilewise {

// A loop that is in a graph once, as it was traced.
struct LayerLoop {
  int32_t id = 0;
  int64_t trips = 1;
  OpId begin = kNoOp;  // its counter, the first of its ops
  OpId last = kNoOp;   // and the last one
  // What an iteration reads of the one before (a barrier, of what was there before the loop), and
  // what it leaves for the next one.
  std::vector<std::pair<OpId, OpId>> carried;
};

struct UnrolledLayers {
  Graph graph;
  std::vector<OpId> ids;  // by op of the graph before: that of the last iteration
};

// Writes every iteration out of loops that read rows of a variable by their counter: what layers
// are gathered, kept and updated one by one for. Other loops stay. `loops` do not overlap.
absl::StatusOr<UnrolledLayers> UnrollLayers(const Graph& graph,
                                            const std::vector<LayerLoop>& loops);

}  // namespace tilewise
