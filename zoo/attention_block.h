// Scaled dot-product attention on queries, keys and values that are there.

#pragma once

#include <string_view>
#include <vector>

#include "zoo/net.h"

namespace tilewise {

struct Attending {
  bool causal = false;
  int64_t sliding_window = 0;  // see AttentionAttrs; only where causal
  bool flash = false;          // one kernel that never writes the scores
  // Of the weights, in training; only of the reference form without a mask.
  double dropout = 0;
  std::vector<int64_t> blocks = {};  // of the one kernel
};

// q [batch, T, heads, size]; k, v [batch, S, kv_heads, size] with kv_heads a
// divisor of heads. Gives [batch, T, heads, size].
OpId Attend(Net& net, OpId q, OpId k, OpId v, const Attending& attending);

inline constexpr ZooParameter AttentionKind(std::string_view fallback) {
  return {"kind", fallback, "reference: product, softmax, product; flash: one kernel",
          "reference|flash"};
}

// Sizes of the blocks of the one kernel, as parameters of a model.
inline constexpr ZooParameter kQueryBlock = {
    "q_block", "0", "queries of a block of the flash kernel; 0: 512", {}, 0};
inline constexpr ZooParameter kKeyBlock = {"kv_block", "0", "keys of a block; 0: 512", {}, 0};
inline constexpr ZooParameter kGradQueryBlock = {
    "grad_q_block", "0", "queries of a block of its gradient; 0: q_block", {}, 0};
inline constexpr ZooParameter kGradKeyBlock = {
    "grad_kv_block", "0", "keys of a block of its gradient; 0: kv_block", {}, 0};
inline constexpr ZooParameter kGradSweeps = {
    "grad_sweeps",
    "2",
    "passes over the blocks for the gradient; 2: one for keys and values, one "
    "for queries; 1: one for all",
    {},
    1,
    2};

// `Attending::blocks` by these parameters: of the forward kernel, then of each
// sweep of its gradient; none where the spec names none.
std::vector<int64_t> AttentionBlocks(const ZooSpec& spec);

}  // namespace tilewise
