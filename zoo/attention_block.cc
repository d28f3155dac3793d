// Attention on heads that stand behind the position, as projections leave them,
// and with queries, keys and values from narrow vectors.

#include <algorithm>

#include "library/attention.h"
#include "zoo/transformer_block.h"

namespace tilewise {
namespace {

// The public flash attention kernels have blocks of so many queries and keys.
constexpr int64_t kDefaultBlock = 512;

OpId Queries(Net& net, const std::string& name, OpId x, const Transformer& shape) {
  const Latent& latent = *shape.latent;
  const int64_t size = shape.head_dim + latent.rotary_dim;
  net.Layer(name + "/query");
  if (latent.query_rank > 0) {
    x = Normalise(net, net.Dense(x, latent.query_rank, false, "narrow"), Norm::kRms);
  }
  GraphBuilder& b = net.builder;
  const OpId q = SplitHeads(b, net.Dense(x, shape.heads * size, false), shape.heads);
  const OpId turned = Rotate(net, b.SliceDim(q, 3, shape.head_dim, size), *shape.rotary);
  return b.Concatenate({b.SliceDim(q, 3, 0, shape.head_dim), turned}, 3);
}

struct KeysAndValues {
  OpId keys = kNoOp, values = kNoOp;
};

KeysAndValues Expand(Net& net, const std::string& name, OpId x, const Transformer& shape) {
  GraphBuilder& b = net.builder;
  const Latent& latent = *shape.latent;
  net.Layer(name + "/latent");
  const OpId both = net.Dense(x, latent.rank + latent.rotary_dim, false, "narrow");
  const OpId narrow = Normalise(net, b.SliceDim(both, 2, 0, latent.rank), Norm::kRms);
  const OpId rotary =
      SplitHeads(b, b.SliceDim(both, 2, latent.rank, latent.rank + latent.rotary_dim), 1);
  const OpId turned = Rotate(net, rotary, *shape.rotary);
  const int64_t size = shape.head_dim + latent.value_dim;
  const OpId wide = SplitHeads(b, net.Dense(narrow, shape.heads * size, false), shape.heads);
  std::vector<Dim> dims = net.shape(wide).dims;
  dims[3] = {latent.rotary_dim, false};
  const OpId keys =
      b.Concatenate({b.SliceDim(wide, 3, 0, shape.head_dim), b.BroadcastTo(turned, dims)}, 3);
  return {keys, b.SliceDim(wide, 3, shape.head_dim, size)};
}

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
  const int64_t sweeps = spec.Integer("grad_sweeps");
  const int64_t queries = spec.IntegerOr("q_block", kDefaultBlock);
  const int64_t keys = spec.IntegerOr("kv_block", kDefaultBlock);
  const int64_t grad_queries = spec.IntegerOr("grad_q_block", queries);
  const int64_t grad_keys = spec.IntegerOr("grad_kv_block", keys);
  std::vector<int64_t> blocks = {queries, keys};
  for (int64_t i = 0; i < sweeps; ++i) {
    blocks.push_back(grad_queries);
    blocks.push_back(grad_keys);
  }
  const bool is_default =
      std::all_of(blocks.begin(), blocks.end(), [](int64_t size) { return size == kDefaultBlock; });
  return is_default && sweeps == 2 ? std::vector<int64_t>{} : blocks;
}

OpId LatentAttention(Net& net, const std::string& name, OpId x, const Transformer& shape) {
  const OpId q = Queries(net, name, x, shape);
  const KeysAndValues kv = Expand(net, name, x, shape);
  net.Layer(name + "/attention");
  const OpId y = Attend(net, q, kv.keys, kv.values, shape.attending);
  const OpId joined = JoinHeads(net.builder, y);
  net.Layer(name + "/output");
  return net.Dense(joined, shape.d_model, false);
}

}  // namespace tilewise
