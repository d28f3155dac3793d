// Attention on heads that stand behind the position, as projections leave them.

#include "zoo/attention_block.h"

#include <algorithm>

#include "library/attention.h"

namespace tilewise {
namespace {

// Of queries and of keys, of the public flash attention kernels.
constexpr int64_t kDefaultBlock = 512;

}  // namespace

OpId Attend(Net& net, OpId q, OpId k, OpId v, const Attending& attending) {
  GraphBuilder& b = net.builder;
  const bool drops = net.training() && attending.dropout > 0;
  if (drops && !attending.flash && !attending.causal) {
    return AttendScaledQueries(b, q, k, v, {.wide = true, .dropout = attending.dropout}).result;
  }
  return b.Attention(q, k, v,
                     {.causal = attending.causal,
                      .sliding_window = attending.sliding_window,
                      .flash = attending.flash,
                      .scale = {},
                      .precision_passes = 1,
                      .blocks = attending.blocks});
}

std::vector<int64_t> AttentionBlocks(const ZooSpec& spec) {
  const auto or_else = [&](std::string_view name, int64_t fallback) {
    const int64_t value = spec.Integer(name);
    return value > 0 ? value : fallback;
  };
  const int64_t sweeps = spec.Integer("grad_sweeps");
  const int64_t queries = or_else("q_block", kDefaultBlock);
  const int64_t keys = or_else("kv_block", kDefaultBlock);
  const int64_t grad_queries = or_else("grad_q_block", queries);
  const int64_t grad_keys = or_else("grad_kv_block", keys);
  std::vector<int64_t> blocks = {queries, keys};
  for (int64_t i = 0; i < sweeps; ++i) {
    blocks.push_back(grad_queries);
    blocks.push_back(grad_keys);
  }
  const bool is_default =
      std::all_of(blocks.begin(), blocks.end(), [](int64_t size) { return size == kDefaultBlock; });
  return is_default && sweeps == 2 ? std::vector<int64_t>{} : blocks;
}

}  // namespace tilewise
