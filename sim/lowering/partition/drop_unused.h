// Drops ops that no output needs.

#pragma once

#include "base/status.h"
#include "graph/graph.h"

namespace tilewise {

// Keeps parameters and variables: they are in memory all the same.
absl::StatusOr<Graph> DropUnused(const Graph& graph);

}  // namespace tilewise
