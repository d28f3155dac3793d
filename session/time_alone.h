// What a few ops would take in a step of their own: the price of something that
// a source names and the model's graph does not hold.

#pragma once

#include <functional>
#include <optional>

#include "graph/graph_builder.h"
#include "hardware/target.h"

namespace tilewise {

// Simulated device time of one forward pass of the ops that `build` adds, on
// one core of the target; `build` returns their result. Their operands come
// from HBM and the result goes there, so a neighbour that fuses with them would
// make it less. None when they cannot be built or lowered.
std::optional<Seconds> TimeAlone(const Target& target,
                                 const std::function<OpId(GraphBuilder&)>& build);

}  // namespace tilewise
