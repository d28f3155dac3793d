// How often a loop runs that compares a counter with a limit.

#pragma once

#include <optional>

#include "graph/op.h"

namespace tilewise {

// Iterations while `distance` compares with 0 as asked, when each adds `step`
// to it; a whole number. nullopt when none is the last, or for kEq.
std::optional<double> IterationsWhile(Comparison comparison, double distance, double step);

}  // namespace tilewise
