// Attention on heads that stand behind the position, as projections leave them.

#include "zoo/attention_block.h"

#include <algorithm>
#include <cmath>

namespace tilewise {
namespace {

// Of queries and of keys, of the public flash attention kernels.
constexpr int64_t kDefaultBlock = 512;

// The reference form with dropout between softmax and second product.
OpId AttendWithDropout(Net& net, OpId q, OpId k, OpId v, double rate) {
  GraphBuilder& b = net.builder;
  const double size = static_cast<double>(net.last_dim(q));
  const OpId scores =
      b.Dot(net.Scale(q, 1 / std::sqrt(size)), k, {{0, 2}, {0, 2}, {3}, {3}});
  const OpId weights = b.Convert(b.Softmax(b.Convert(scores, DType::kF32), 3),
                                 net.compute_type());
  const OpId y =
      b.Dot(net.Dropout(weights, rate), v, {{0, 1}, {0, 2}, {3}, {1}});
  return b.Transpose(y, {0, 2, 1, 3});
}

}  // namespace

OpId Attend(Net& net, OpId q, OpId k, OpId v, const Attending& attending) {
  GraphBuilder& b = net.builder;
  const bool drops = net.training() && attending.dropout > 0;
  if (drops && !attending.flash && !attending.causal) {
    return AttendWithDropout(net, q, k, v, attending.dropout);
  }
  return b.Attention(q, k, v,
                     {.causal = attending.causal,
                      .sliding_window = attending.sliding_window,
                      .flash = attending.flash,
                      .scale = {},
                      .precision_passes = 1,
                      .blocks = attending.blocks});
}

std::vector<WindowDim> AttentionBlocks(const ZooSpec& spec) {
  const auto or_else = [&](std::string_view name, int64_t fallback) {
    const int64_t value = spec.Integer(name);
    return value > 0 ? value : fallback;
  };
  const int64_t sweeps = spec.Integer("grad_sweeps");
  const int64_t queries = or_else("q_block", kDefaultBlock);
  const int64_t keys = or_else("kv_block", kDefaultBlock);
  const int64_t grad_queries = or_else("grad_q_block", queries);
  const int64_t grad_keys = or_else("grad_kv_block", keys);
  std::vector<WindowDim> blocks = {{.size = queries}, {.size = keys}};
  for (int64_t i = 0; i < sweeps; ++i) {
    blocks.push_back({.size = grad_queries});
    blocks.push_back({.size = grad_keys});
  }
  const bool is_default = std::all_of(
      blocks.begin(), blocks.end(),
      [](const WindowDim& block) { return block.size == kDefaultBlock; });
  return is_default && sweeps == 2 ? std::vector<WindowDim>{} : blocks;
}

}  // namespace tilewise
