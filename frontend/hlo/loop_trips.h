// How often a while loop runs, from its condition and body.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/hlo/module.h"
#include "frontend/hlo/value.h"
#include "graph/graph_builder.h"

namespace tilewise::hlo {

// Trips of `loop` when its condition compares an element of its state, which
// starts as a constant and has a constant added in every iteration, with a
// constant or with an element that no iteration changes. `state` is what it
// starts from. Nothing when it is another kind of loop; at least 0.
std::optional<int64_t> DeriveIterations(const Module& module, const Instruction& loop,
                                        const Value& state, const GraphBuilder& e);

// Returns whether each element of the tuple that `body` returns is the element
// of the same number of the body's parameter.
std::vector<bool> UnchangedElements(const Computation& body);

}  // namespace tilewise::hlo
