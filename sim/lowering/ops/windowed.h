// What pooling and convolutions prefer: batch and features in the tile.

#pragma once

#include "graph/ops/window.h"
#include "sim/lowering/lowering_traits.h"

namespace tilewise {

// The two minor dims of `order` are `a` and `b`, in either order.
inline bool TilesBoth(const DimOrder& order, int64_t a, int64_t b) {
  return (order[0] == a && order[1] == b) || (order[0] == b && order[1] == a);
}

inline bool TilesBatchAndFeature(const Op& op, const DimOrder& order) {
  const auto rank = static_cast<int64_t>(order.size());
  return TilesBoth(order, 0, WindowOf(op).channels_first ? 1 : rank - 1);
}

inline bool AcceptsWindowedResult(const Graph&, const Op& op, const DimOrder& order) {
  return TilesBatchAndFeature(op, order);
}

}  // namespace tilewise
