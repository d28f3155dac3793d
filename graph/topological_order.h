// Orders items so that each stands after what it needs.

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace tilewise {

struct TopologicalOrder {
  std::vector<int32_t> order;  // every node once; empty when there is a cycle
  std::vector<int32_t> cycle;  // the nodes of one cycle, in order; else empty
};

// `edges` are (from, to): `from` must stand before `to`. Among the nodes that
// could come next the smallest comes first, so the order is deterministic.
TopologicalOrder OrderTopologically(int32_t nodes,
                                    const std::vector<std::pair<int32_t, int32_t>>& edges);

}  // namespace tilewise
