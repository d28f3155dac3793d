// Finds batch normalisation that a graph spells out in its ops.

#pragma once

#include <vector>

#include "graph/graph.h"

namespace tilewise {

// A mean, a variance about it and the division by its root, over the batch and
// all dims but one.
struct WrittenNorm {
  OpId x = kNoOp;
  OpId root = kNoOp;
  OpId mean_sum = kNoOp;      // over x
  OpId variance_sum = kNoOp;  // over the squared distances from the mean
  std::vector<OpId> ops;      // of the statistics and the root, ascending
};

// In the order of their roots. The variance as mean of squares less square of
// the mean is not one of them: it needs one sweep, as the fused op does. Nor is
// a normalisation within each example (layer, instance, group norm).
std::vector<WrittenNorm> FindWrittenNorms(const Graph& graph);

}  // namespace tilewise
