// The order of a whole program's items from that of the folded one.

#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "sim/lowering/repeats/fold.h"
#include "sim/lowering/repeats/layer_positions.h"

namespace tilewise {

// An op, output or kernel of the folded program and the number of its copy; 0
// is the folded one itself.
struct CopiedItem {
  int32_t index = 0;
  int32_t copy = 0;
};

// `positions` are those of the folded program's items, in their order. Where the
// typical layer begins, what stands from there to the same item of the layer
// that comes next is copied for each layer left out: late items of the layer
// before stand among it as those of the copies' own neighbours. Fails where
// layers are not in turn; the message says at which item.
absl::StatusOr<std::vector<CopiedItem>> WholeOrder(const std::vector<LayerPosition>& positions,
                                                   const FoldedGraph& folded);

}  // namespace tilewise
