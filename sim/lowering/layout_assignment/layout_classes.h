// Groups of ops that must share one dim order: elementwise ops with their
// operands, windows, slices, pads and concatenations with what they read.

#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace tilewise {

// Minor to major, as Layout::minor_to_major.
using DimOrder = std::vector<int64_t>;

struct LayoutClasses {
  std::vector<int32_t> of_op;              // class of each op
  std::vector<std::vector<OpId>> members;  // by class, ascending
};

LayoutClasses GroupByLayout(const Graph& graph);

// Dim orders worth considering for a tensor of `rank`: the last dim with any
// other in the tile, either way round, the logical order first; and batch with
// the feature dim 1 of channels-first images (tpu-lowering 2.1).
const std::vector<DimOrder>& CandidateOrders(int64_t rank);

DimOrder LogicalOrder(int64_t rank);
// `lanes` minor, then `sublanes`, the other dims in logical order.
DimOrder TiledOrder(int64_t rank, int64_t lanes, int64_t sublanes);

}  // namespace tilewise
