// Numbers that are counted out: a module makes random numbers of a counter for
// each element (threefry), and counts the halves of what it needs apart. How
// many there are matters, where they lie does not.

#pragma once

#include <optional>

#include "graph/graph.h"

namespace tilewise {

// The static graph with such numbers laid out as what they are reshaped to,
// parts along one dim of it, so that a dim can be followed through them. Ids
// are kept, and so are the numbers of elements. Nothing when no numbers are
// laid out otherwise.
std::optional<Graph> WithCountersLaidOut(const Graph& static_graph);

}  // namespace tilewise
