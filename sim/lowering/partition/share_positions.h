// Context parallelism: each core has some positions of every example.

#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "graph/graph.h"

namespace tilewise {

// The forward graph (static) that one core of `parts` on mesh axis `axis` runs:
// its positions of all values, the keys and values of attention gathered from
// all cores. Sums over positions alone are made over all cores; losses stay per
// core. Errors: there is no attention; `parts` does not divide the positions; an
// op that the positions cannot be followed through, by name, with its place.
absl::StatusOr<Graph> SharePositions(const Graph& forward, int64_t parts, std::string_view axis);

}  // namespace tilewise
