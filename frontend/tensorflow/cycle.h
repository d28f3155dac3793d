// Nodes that need their own results, for messages.

#pragma once

#include <span>
#include <string>

#include "frontend/tensorflow/graph_index.h"

namespace tilewise::tf {

// "nodes form a cycle: a -> b -> a, expected ...": each node reads the one
// before it.
std::string DescribeCycle(const GraphIndex& index, std::span<const int32_t> cycle);

// The same of a cycle that does not go through a loop; empty: there is none.
std::string FindCycle(const GraphIndex& index);

}  // namespace tilewise::tf
