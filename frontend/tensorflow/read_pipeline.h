// The tf.data nodes of a graph -> pipelines.

#pragma once

#include <vector>

#include "base/status.h"
#include "frontend/tensorflow/graph_index.h"
#include "frontend/tensorflow/node_locations.h"
#include "pipeline/pipeline.h"

namespace tilewise::tf {

// One pipeline for each dataset that no other dataset reads: those of the graph
// itself, or, when it has none, of its functions.
absl::StatusOr<std::vector<Pipeline>> ReadPipelines(const GraphDef& graph, const GraphIndex& index,
                                                    const NodeLocations& places);

}  // namespace tilewise::tf
