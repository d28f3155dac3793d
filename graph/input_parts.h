// A step that takes its batch in parts, one after the other.

#pragma once

#include <optional>

#include "graph/graph.h"
#include "graph/rebatch.h"

namespace tilewise {

// A part of the batch, of which the graph has an input in place of each value that is one of the
// equal parts of an input, cut out of it by data movement alone.
struct BatchOfPart {
  Graph graph;
  BatchGuess batch;
};

// Nothing where no value is such a part, or the batch of what is there cannot be followed.
std::optional<BatchOfPart> FindBatchOfPart(const Graph& graph, int64_t parts);

}  // namespace tilewise
