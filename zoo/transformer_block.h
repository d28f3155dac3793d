// The layers of transformers: norms, self-attention with its projections,
// feed-forward networks. Activations are [batch, position, feature].

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zoo/net.h"

namespace tilewise {

struct Attending {
  bool causal = false;
  int64_t sliding_window = 0;  // see AttentionAttrs; only where causal
  bool flash = false;          // one kernel that never writes the scores
  // Training drops this share of the attention weights; only the reference form
  // without a mask does.
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
inline constexpr ZooParameter kGradSweeps = {"grad_sweeps",
                                             "2",
                                             "passes over the blocks for the gradient; 2: one for "
                                             "keys and values, one for queries; 1: one for all",
                                             {},
                                             1,
                                             2};

// `Attending::blocks` by these parameters: of the forward kernel, then of each
// sweep of its gradient; none where the spec names none.
std::vector<int64_t> AttentionBlocks(const ZooSpec& spec);

enum class Norm { kLayer, kRms };

// Cosines and sines [positions, size / 2] of rotary position embedding (Su et
// al. 2021), made once for all layers.
struct Rotary {
  OpId cosine = kNoOp, sine = kNoOp;
};
Rotary MakeRotary(Net& net, int64_t positions, int64_t head_dim);
// x [batch, position, head, feature] turned by it.
OpId Rotate(Net& net, OpId x, const Rotary& rotary);

// Keys and values of earlier positions, state of each layer. The positions that
// run are written into it. The examples must be of a fixed number.
struct KeyValueCache {
  int64_t positions = 0;  // those that run included
  OpId first = kNoOp;     // s32: where the positions that run start
};

// Latent attention (DeepSeek-V2, 2024): keys and values are projections of a
// narrow vector of the token, rotary position embedding is on features of their
// own.
struct Latent {
  int64_t query_rank = 0;  // 0: queries come from the token itself
  int64_t rank = 512;
  int64_t rotary_dim = 64;  // besides head_dim, shared by the heads of the keys
  int64_t value_dim = 128;
};

// Sizes of the blocks of the kernel that multiplies tokens sorted by expert
// (DotAttrs::blocks), by what the features are.
struct GroupBlocks {
  int64_t rows = 512, d_model = 1024, d_ff = 1024;
};

struct Transformer {
  int64_t d_model = 1, heads = 1, kv_heads = 1, head_dim = 1, d_ff = 1;
  bool bias = true;               // in projections
  bool biases_heads = false;      // else: in those of queries, keys and values
  bool gated = false;             // feed-forward: act(x W1) * (x W3)
  std::string_view act = "gelu";  // silu, gelu or relu
  Norm norm = Norm::kLayer;
  // Norms of what each half adds, too, as in Gemma 2 and later.
  bool norms_results = false;
  bool norms_heads = false;      // queries and keys, each head by itself
  bool values_are_keys = false;  // before position embedding
  // Attention gets keys and values once for each head of the queries, as
  // PyTorch's models repeat them.
  bool repeats_keys = false;
  Attending attending;
  std::optional<Rotary> rotary = std::nullopt;
  double dropout = 0;  // of what each half adds
  int64_t experts = 1, top_k = 1;
  int64_t shared_experts = 0;  // that every token goes to
  double capacity = 1.25;      // share of an even split that each expert takes
  bool drops_tokens = true;    // beyond it; else experts take all that come
  GroupBlocks expert_blocks;   // of experts that take all that come
  bool adds_sorted = false;    // gradients of tokens that were sorted for them
  bool weighs_inputs = false;  // of experts by their scores, else their results
  std::optional<KeyValueCache> cache = std::nullopt;
  std::optional<Latent> latent = std::nullopt;
};

// Reads the parameters d_model, heads, d_ff, dropout and kind. Error unless the
// heads divide the features.
absl::StatusOr<Transformer> TransformerShape(const ZooSpec& spec);

// These add to the current layer.
OpId ActivateNamed(Net& net, std::string_view act, OpId x);
OpId Normalise(Net& net, OpId x, Norm norm, std::string_view weight = "");

// Adds layers "<name>/query" and so on.
OpId SelfAttention(Net& net, const std::string& name, OpId x, const Transformer& shape);
// Queries from x, keys and values from `memory`, of positions of its own; no
// causal mask.
OpId CrossAttention(Net& net, const std::string& name, OpId x, OpId memory,
                    const Transformer& shape);
OpId FeedForward(Net& net, const std::string& name, OpId x, const Transformer& shape);

// x + what `half` makes of its norm, which is layer `norm`.
OpId AddNormed(Net& net, const std::string& norm, OpId x, const Transformer& shape,
               const std::function<OpId(OpId)>& half);
// One whole layer; norms before the two halves, or after them as in BERT.
OpId PreNormLayer(Net& net, const std::string& name, OpId x, const Transformer& shape);
OpId PostNormLayer(Net& net, const std::string& name, OpId x, const Transformer& shape);

// x + rows of a weight [positions, features], for each example.
OpId AddPositions(Net& net, OpId x, std::string_view name);

// Self-attention of `shape` with shape.latent, as it is trained: keys and
// values are formed for all heads, head_dim features and the rotary ones beside
// them. Norms stand behind both narrow vectors. In layers "<name>/query" and so
// on.
OpId LatentAttention(Net& net, const std::string& name, OpId x, const Transformer& shape);

// Switch-style routing (Fedus et al. 2021) with a fixed capacity: each token
// goes to the `top_k` experts of highest probability, each expert takes
// capacity x (an even split) tokens of an example, the rest is dropped. Tokens
// are sent and brought back by matmuls with one-hot masks
// [batch, position, expert, slot], as GShard does (Lepikhin et al. 2020).
OpId RunExperts(Net& net, const std::string& name, OpId x, const Transformer& shape);

// Tokens are sorted by the expert that they go to, each `top_k` times, and pass
// through the experts' networks as one ragged matmul (MegaBlocks, Gale et al.
// 2022; the sparse form of MaxText). All experts are taken to get as many. The
// positions of an example times top_k must be a multiple of the experts.
OpId RunSortedExperts(Net& net, const std::string& name, OpId x, const Transformer& shape);

}  // namespace tilewise
