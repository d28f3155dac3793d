// Scaled dot-product attention on queries, keys and values that are there.

#pragma once

#include <string_view>

#include "zoo/net.h"

namespace tilewise {

struct Attending {
  bool causal = false;
  bool flash = false;  // one kernel that never writes the scores
  // Of the weights, in training; only of the reference form without a mask.
  double dropout = 0;
  std::vector<WindowDim> blocks = {};  // of the one kernel
};

// q [batch, T, heads, size]; k, v [batch, S, kv_heads, size] with kv_heads a
// divisor of heads. Gives [batch, T, heads, size].
OpId Attend(Net& net, OpId q, OpId k, OpId v, const Attending& attending);

inline constexpr ZooParameter AttentionKind(std::string_view fallback) {
  return {"kind", fallback,
          "reference: product, softmax, product; flash: one kernel",
          "reference|flash"};
}

}  // namespace tilewise
