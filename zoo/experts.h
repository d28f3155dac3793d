// Mixture of experts in place of a feed-forward network.

#pragma once

#include <string>

#include "zoo/net.h"
#include "zoo/transformer_block.h"

namespace tilewise {

// Switch-style routing (Fedus et al. 2021) with a fixed capacity: each token
// goes to the `top_k` experts of highest probability, each expert takes
// capacity x (an even split) tokens of an example, the rest is dropped. Tokens
// are sent and brought back by products with one-hot masks
// [batch, position, expert, slot], as GShard does (Lepikhin et al. 2020).
OpId RunExperts(Net& net, const std::string& name, OpId x, const Transformer& shape);

}  // namespace tilewise
