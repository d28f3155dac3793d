// Mixture of experts that drops no token.

#pragma once

#include <string>

#include "zoo/net.h"
#include "zoo/transformer_block.h"

namespace tilewise {

// Tokens are sorted by the expert that they go to, each `top_k` times, and pass
// through the experts' networks as one ragged product (MegaBlocks, Gale et al.
// 2022; the sparse form of MaxText). All experts are taken to get as many. The
// positions of an example times top_k must be a multiple of the experts.
OpId RunSortedExperts(Net& net, const std::string& name, OpId x, const Transformer& shape);

}  // namespace tilewise
