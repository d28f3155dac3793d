// How often a loop runs: one that compares a counter with a limit, and one within another.

#pragma once

#include <optional>

#include "graph/op.h"

namespace tilewise {

// Iterations while `distance` compares with 0 as asked, when each adds `step`
// to it; a whole number. nullopt when none is the last, or for kEq.
std::optional<double> IterationsWhile(Comparison comparison, double distance, double step);

// Loop `id`, which runs `trips` times on each trip of `outer`. Beyond kMaxElements, how often is
// not told apart.
EnclosingLoop LoopWithin(const EnclosingLoop& outer, int32_t id, int64_t trips);

}  // namespace tilewise
