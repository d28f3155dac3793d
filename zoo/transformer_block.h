// The layers of transformers: norms, self-attention with its projections,
// feed-forward networks. Activations are [batch, position, feature].

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "zoo/attention_block.h"
#include "zoo/net.h"

namespace tilewise {

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

// Latent attention (DeepSeek-V2, 2024): keys and values are products of a
// narrow vector of the token, rotary position embedding is on features of their
// own.
struct Latent {
  int64_t query_rank = 0;  // 0: queries come from the token itself
  int64_t rank = 512;
  int64_t rotary_dim = 64;  // beside head_dim, shared by the heads of the keys
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

// In the current layer.
OpId ActivateNamed(Net& net, std::string_view act, OpId x);
OpId Normalise(Net& net, OpId x, Norm norm, std::string_view weight = "");

// In layers "<name>/query" and so on.
OpId SelfAttention(Net& net, const std::string& name, OpId x, const Transformer& shape);
// Queries from x, keys and values from `memory`, of positions of its own; no
// causal mask.
OpId CrossAttention(Net& net, const std::string& name, OpId x, OpId memory,
                    const Transformer& shape);
OpId FeedForward(Net& net, const std::string& name, OpId x, const Transformer& shape);

// One whole layer; norms before the two halves, or after them as in BERT.
OpId PreNormLayer(Net& net, const std::string& name, OpId x, const Transformer& shape);
OpId PostNormLayer(Net& net, const std::string& name, OpId x, const Transformer& shape);

// x + rows of a weight [positions, features], for each example.
OpId AddPositions(Net& net, OpId x, std::string_view name);

}  // namespace tilewise
