// Reads, completes and checks the parameters of a decoder.

#include "zoo/decoder_shape.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr int64_t kMostHeads = 1 << 14;
constexpr int64_t kMostInBlock = 1 << 16;

constexpr ZooParameter kParameters[] = {
    {"layers", "32", "transformer layers", {}, 1, 256},
    {"d_model", "4096", "features of a token"},
    {"heads", "32", "query heads", {}, 1, kMostHeads},
    {"kv_heads", "8", "key and value heads, a divisor of heads; 0: heads", {}, 0, kMostHeads},
    {"head_dim", "128", "features of a head; 0: d_model / heads", {}, 0, kMostHeads},
    {"d_ff", "14336", "units of the feed-forward networks; 0: 4 x d_model", {}, 0},
    {"vocab", "128256", "tokens"},
    {"seq", "8192", "positions of an example", {}, 1, 1 << 22},
    {"gated", "1", "feed-forward: act(x W1) (x W3) W2; 0: act(x W1) W2", kFlagWords},
    {"activation", "silu", "of the feed-forward networks", "silu|gelu|relu"},
    {"experts", "1", "feed-forward networks to choose from in each layer", {}, 1, 4096},
    {"top_k", "2", "experts of each token, if there are several", {}, 1, 64},
    {"capacity",
     "125",
     "tokens that an expert takes, percent of an even split; 0: all that come, sorted by expert",
     {},
     0,
     10000},
    {"weigh", "output",
     "what scores of sorted tokens multiply: the results of their experts, or in f32 what these "
     "get, as in Llama 4",
     "output|input"},
    {"sort_grad", "gather",
     "of tokens sorted by expert: rows taken back in the inverse order, or added where they came "
     "from, as automatic differentiation has it",
     "gather|scatter"},
    {"block_rows",
     "512",
     "tokens in a block of the kernel that multiplies those sorted by expert",
     {},
     8,
     kMostInBlock},
    {"block_d", "1024", "features of a token in it", {}, 128, kMostInBlock},
    {"block_ff", "1024", "units of an expert in it", {}, 128, kMostInBlock},
    {"shared_experts", "0", "experts beside them that every token goes to", {}, 0, 64},
    {"dense_layers", "0", "first layers without experts", {}, 0, 1024},
    {"expert_every", "1", "of so many layers the last one has experts", {}, 1, 64},
    {"expert_ff", "0", "units of an expert; 0: d_ff", {}, 0},
    {"mtp_layers",
     "0",
     "layers behind the last that predict tokens further ahead, each with results of its own "
     "(multi-token prediction)",
     {},
     0,
     16},
    {"latent",
     "0",
     "features that keys and values come from (latent attention: heads have 64 rotary features "
     "beside head_dim); 0: the token's",
     {},
     0,
     1 << 16},
    {"query_latent", "0", "the same of queries", {}, 0, 1 << 16},
    {"cached",
     "0",
     "positions of a cache of keys and values, for decoding: those that run take places of it; 0: "
     "no cache",
     {},
     0,
     1 << 22},
    {"slots", "1", "examples that decode at once, each with its cache", {}, 1, 1 << 16},
    {"norm", "rms", "kind of norm", "rms|layer"},
    {"positions", "rotary", "position embedding", "rotary|learned"},
    {"bias", "0", "1: projections have biases; heads: those of queries, keys and values do",
     "0|1|heads"},
    {"repeat_kv", "0",
     "1: keys and values are repeated for each head of the queries before attention, as PyTorch's "
     "models do",
     kFlagWords},
    {"lookup", "gather", "of tokens in their table: row by row, or as a product with one-hot rows",
     "gather|one_hot"},
    {"scan", "1",
     "in training, layers that are alike run as the trips of a loop (lax.scan); 0: they are "
     "written out one after the other",
     kFlagWords},
    {"tied", "0", "1: the token table is also the output matrix", kFlagWords},
    {"logits", "auto",
     "type in which the loss gets them; auto: f32 where weights are stored in a narrower type, as "
     "plain losses of JAX and PyTorch widen them, else the network's, as in MaxText",
     "auto|f32|dtype"},
    {"vocab_tiles",
     "1",
     "in training, parts of the positions whose logits are made one part after the other, and "
     "again for their gradients; a divisor of seq",
     {},
     1,
     256},
    {"sliding_window", "0", "keys up to its own that a query sees; 0: all", {}, 0},
    {"global_every",
     "0",
     "of so many layers the last one sees all keys, where others have a sliding window; 0: none "
     "does",
     {},
     0,
     64},
    {"global_head_dim",
     "0",
     "features of a head of layers that see all keys; 0: head_dim",
     {},
     0,
     kMostHeads},
    {"global_kv_heads", "0", "key and value heads of such layers; 0: kv_heads", {}, 0, kMostHeads},
    {"global_values", "own",
     "of such layers: a projection of their own, or keys before their position embedding",
     "own|keys"},
    {"qk_norm", "0", "1: norms of queries and keys, each head by itself", kFlagWords},
    {"result_norm", "0", "1: norms of what attention and feed-forward network add, too",
     kFlagWords},
    AttentionKind("flash"),
    kQueryBlock,
    kKeyBlock,
    kGradQueryBlock,
    kGradKeyBlock,
    kGradSweeps,
    kNetworkType,
    kWeightType,
};

Transformer ShapeOf(const ZooSpec& spec) {
  Transformer shape;
  shape.d_model = spec.Integer("d_model");
  shape.heads = spec.Integer("heads");
  shape.kv_heads = spec.IntegerOr("kv_heads", shape.heads);
  shape.head_dim = spec.IntegerOr("head_dim", shape.d_model / shape.heads);
  shape.d_ff = spec.IntegerOr("d_ff", 4 * shape.d_model);
  shape.bias = spec.Word("bias") == "1";
  shape.biases_heads = spec.Word("bias") == "heads";
  shape.gated = spec.Flag("gated");
  shape.act = spec.Word("activation");
  shape.norms_heads = spec.Flag("qk_norm");
  shape.repeats_keys = spec.Flag("repeat_kv");
  shape.norms_results = spec.Flag("result_norm");
  shape.norm = spec.Word("norm") == "rms" ? Norm::kRms : Norm::kLayer;
  shape.attending = {.causal = true,
                     .sliding_window = spec.Integer("sliding_window"),
                     .flash = spec.Word("kind") == "flash"};
  if (shape.attending.flash) shape.attending.blocks = AttentionBlocks(spec);
  shape.experts = spec.Integer("experts");
  shape.top_k = spec.Integer("top_k");
  shape.shared_experts = spec.Integer("shared_experts");
  shape.capacity = static_cast<double>(spec.Integer("capacity")) / 100;
  shape.drops_tokens = spec.Integer("capacity") > 0;
  shape.weighs_inputs = spec.Word("weigh") == "input";
  shape.adds_sorted = spec.Word("sort_grad") == "scatter";
  shape.expert_blocks = {.rows = spec.Integer("block_rows"),
                         .d_model = spec.Integer("block_d"),
                         .d_ff = spec.Integer("block_ff")};
  if (spec.Integer("latent") > 0) {
    shape.latent =
        Latent{.query_rank = spec.Integer("query_latent"), .rank = spec.Integer("latent")};
  }
  return shape;
}

// The same of a layer that sees all keys, where others have a window.
Transformer SeeingAll(const ZooSpec& spec, Transformer shape) {
  shape.attending.sliding_window = 0;
  shape.head_dim = spec.IntegerOr("global_head_dim", shape.head_dim);
  shape.kv_heads = spec.IntegerOr("global_kv_heads", shape.kv_heads);
  shape.values_are_keys = spec.Word("global_values") == "keys";
  return shape;
}

absl::Status CheckHeadDim(std::string_view parameter, int64_t found) {
  if (found >= 2 && found % 2 == 0) return absl::OkStatus();
  return InvalidInput(
      fmt::format("parameter '{}': found {}, expected an even number", parameter, found));
}

absl::Status CheckHeads(const Transformer& shape) {
  TW_RETURN_IF_ERROR(CheckDivides("kv_heads", shape.kv_heads, shape.heads));
  TW_RETURN_IF_ERROR(CheckHeadDim("head_dim", shape.head_dim));
  if (shape.experts > 1 && shape.top_k > shape.experts) {
    return InvalidInput(fmt::format("parameter 'top_k': found {}, expected at most {} experts",
                                    shape.top_k, shape.experts));
  }
  return absl::OkStatus();
}

bool HasGlobalHeads(const ZooSpec& spec) {
  return spec.Integer("global_head_dim") > 0 || spec.Integer("global_kv_heads") > 0 ||
         spec.Word("global_values") == "keys";
}

// Checks layers that see all keys.
absl::Status CheckGlobal(const ZooSpec& spec, const Transformer& shape) {
  if (!HasGlobalHeads(spec)) return absl::OkStatus();
  if (spec.Integer("global_every") == 0) {
    return InvalidInput(
        "parameter 'global_every': found 0, expected how often layers come whose heads are given");
  }
  const Transformer layer = DecoderLayer(spec, shape, spec.Integer("global_every") - 1);
  TW_RETURN_IF_ERROR(CheckDivides("global_kv_heads", layer.kv_heads, layer.heads));
  return CheckHeadDim("global_head_dim", layer.head_dim);
}

absl::Status CheckLatent(const ZooSpec& spec) {
  const bool plain =
      spec.Word("positions") == "rotary" && spec.Word("bias") == "0" && !spec.Flag("qk_norm");
  if (spec.Integer("latent") == 0 || (plain && !HasGlobalHeads(spec))) {
    return absl::OkStatus();
  }
  return InvalidInput(
      "parameter 'latent': expected positions=rotary, bias=0, qk_norm=0 and no heads of global "
      "layers with it");
}

absl::Status CheckAhead(const ZooSpec& spec) {
  const bool knows_later = spec.Integer("seq") > 1;
  if (spec.Integer("mtp_layers") == 0 || (knows_later && spec.Integer("cached") == 0)) {
    return absl::OkStatus();
  }
  return InvalidInput("parameter 'mtp_layers': expected several positions and no cache with it");
}

}  // namespace

std::span<const ZooParameter> DecoderParameters() { return kParameters; }

absl::StatusOr<Transformer> DecoderShape(const ZooSpec& spec) {
  const Transformer shape = ShapeOf(spec);
  TW_RETURN_IF_ERROR(CheckHeads(shape));
  TW_RETURN_IF_ERROR(CheckLatent(spec));
  TW_RETURN_IF_ERROR(CheckAhead(spec));
  TW_RETURN_IF_ERROR(CheckGlobal(spec, shape));
  return shape;
}

Transformer DecoderLayer(const ZooSpec& spec, Transformer shape, int64_t i) {
  const int64_t global = spec.Integer("global_every");
  if (global > 0 && (i + 1) % global == 0) shape = SeeingAll(spec, shape);
  if (shape.experts == 1) return shape;
  const int64_t every = spec.Integer("expert_every");
  if (i < spec.Integer("dense_layers") || (i + 1) % every != 0) {
    shape.experts = 1;
  } else {
    shape.d_ff = spec.IntegerOr("expert_ff", shape.d_ff);
  }
  return shape;
}

EnclosingLoop DecoderIteration(const ZooSpec& spec, int64_t i) {
  const int64_t networks = spec.Integer("experts") > 1 ? spec.Integer("expert_every") : 1;
  const int64_t attention = std::max<int64_t>(1, spec.Integer("global_every"));
  const int64_t layers = std::lcm(networks, attention);
  const int64_t dense =
      networks > 1 || spec.Integer("experts") > 1 ? spec.Integer("dense_layers") : 0;
  const int64_t first = i < dense ? 0 : (dense + layers - 1) / layers;
  return {static_cast<int32_t>(i / layers) + 1, 1, static_cast<int32_t>(first) + 1,
          static_cast<int32_t>(i) + 1};
}

}  // namespace tilewise
