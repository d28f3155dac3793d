// Multi-head latent attention.

#pragma once

#include <string>

#include "zoo/net.h"
#include "zoo/transformer_block.h"

namespace tilewise {

// Self-attention of `shape` with shape.latent, as it is trained: keys and
// values are formed for all heads, head_dim features and the rotary ones beside
// them. Norms stand behind both narrow vectors. In layers "<name>/query" and so
// on.
OpId LatentAttention(Net& net, const std::string& name, OpId x, const Transformer& shape);

}  // namespace tilewise
