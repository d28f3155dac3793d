// Links of the kinds whose operands have dims of their own.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph/batch_links.h"

namespace tilewise {

void LinkDot(const Graph& static_graph, const Op& op, DimLinks& links);
void LinkConvolution(const Op& op, DimLinks& links);  // and its gradients
void LinkIndexed(const Graph& static_graph, const Op& op, DimLinks& links);

inline bool HasDim(const std::vector<int64_t>& dims, int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

// Of what a window slides over.
inline int64_t WindowFeatureDim(const Attributes& attrs) {
  return attrs.channels_first ? 1
                              : static_cast<int64_t>(attrs.window.size()) + 1;
}

}  // namespace tilewise
