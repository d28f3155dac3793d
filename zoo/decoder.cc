// Decoder-only language model: causal self-attention with grouped queries,
// gated or plain feed-forward networks or experts. Default: the shapes of an
// 8 B Llama 3.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "zoo/models.h"
#include "zoo/recurrent_block.h"
#include "zoo/transformer_block.h"

namespace tilewise {
namespace {

constexpr int64_t kMostHeads = 1 << 14;
constexpr int64_t kMostInBlock = 1 << 16;

constexpr ZooParameter kParameters[] = {
    {"layers", "32", "transformer layers", {}, 1, 1024},
    {"d_model", "4096", "features of a token"},
    {"heads", "32", "query heads", {}, 1, kMostHeads},
    {"kv_heads",
     "8",
     "key and value heads, a divisor of heads; 0: heads",
     {},
     0,
     kMostHeads},
    {"head_dim",
     "128",
     "features of a head; 0: d_model / heads",
     {},
     0,
     kMostHeads},
    {"d_ff",
     "14336",
     "units of the feed-forward networks; 0: 4 x d_model",
     {},
     0},
    {"vocab", "128256", "tokens"},
    {"seq", "8192", "positions of an example", {}, 1, 1 << 22},
    {"gated", "1", "feed-forward: act(x W1) (x W3) W2; 0: act(x W1) W2",
     kFlagWords},
    {"activation", "silu", "of the feed-forward networks", "silu|gelu|relu"},
    {"experts",
     "1",
     "feed-forward networks to choose from in each layer",
     {},
     1,
     4096},
    {"top_k", "2", "experts of each token, if there are several", {}, 1, 64},
    {"capacity",
     "125",
     "tokens that an expert takes, percent of an even split; 0: all that come, "
     "sorted by expert",
     {},
     0,
     10000},
    {"weigh", "output",
     "what scores of sorted tokens multiply: the results of their experts, or "
     "in f32 what these get, as in Llama 4",
     "output|input"},
    {"sort_grad", "gather",
     "of tokens sorted by expert: rows taken back in the inverse order, or "
     "added where they came from, as automatic differentiation has it",
     "gather|scatter"},
    {"block_rows",
     "512",
     "tokens in a block of the kernel that multiplies those sorted by expert",
     {},
     8,
     kMostInBlock},
    {"block_d", "1024", "features of a token in it", {}, 128, kMostInBlock},
    {"block_ff", "1024", "units of an expert in it", {}, 128, kMostInBlock},
    {"shared_experts",
     "0",
     "experts beside them that every token goes to",
     {},
     0,
     64},
    {"dense_layers", "0", "first layers without experts", {}, 0, 1024},
    {"expert_every",
     "1",
     "of so many layers the last one has experts",
     {},
     1,
     64},
    {"expert_ff", "0", "units of an expert; 0: d_ff", {}, 0},
    {"mtp_layers",
     "0",
     "layers behind the last that predict tokens further ahead, each with "
     "results of its own (multi-token prediction)",
     {},
     0,
     16},
    {"latent",
     "0",
     "features that keys and values come from (latent attention: heads have "
     "64 rotary features beside head_dim); 0: the token's",
     {},
     0,
     1 << 16},
    {"query_latent", "0", "the same of queries", {}, 0, 1 << 16},
    {"cached",
     "0",
     "positions of a cache of keys and values, for decoding: those that run "
     "take places of it; 0: no cache",
     {},
     0,
     1 << 22},
    {"slots",
     "1",
     "examples that decode at once, each with its cache",
     {},
     1,
     1 << 16},
    {"norm", "rms", "kind of norm", "rms|layer"},
    {"positions", "rotary", "position embedding", "rotary|learned"},
    {"bias", "0", "1: projections have biases", kFlagWords},
    {"scan", "1",
     "in training, layers that are alike run as the trips of a loop "
     "(lax.scan); "
     "0: they are written out one after the other",
     kFlagWords},
    {"tied", "0", "1: the token table is also the output matrix", kFlagWords},
    AttentionKind("flash"),
    kQueryBlock,
    kKeyBlock,
    kGradQueryBlock,
    kGradKeyBlock,
    kGradSweeps,
    kNetworkType,
    kWeightType,
};

absl::Status CheckHeads(const Transformer& shape) {
  TW_RETURN_IF_ERROR(CheckDivides("kv_heads", shape.kv_heads, shape.heads));
  if (shape.head_dim < 2 || shape.head_dim % 2 != 0) {
    return InvalidInput(
        fmt::format("parameter 'head_dim': found {}, expected an even number",
                    shape.head_dim));
  }
  if (shape.experts > 1 && shape.top_k > shape.experts) {
    return InvalidInput(
        fmt::format("parameter 'top_k': found {}, expected at most {} experts",
                    shape.top_k, shape.experts));
  }
  return absl::OkStatus();
}

Transformer ShapeOf(const ZooSpec& spec) {
  const auto or_else = [&](std::string_view name, int64_t fallback) {
    const int64_t value = spec.Integer(name);
    return value > 0 ? value : fallback;
  };
  Transformer shape;
  shape.d_model = spec.Integer("d_model");
  shape.heads = spec.Integer("heads");
  shape.kv_heads = or_else("kv_heads", shape.heads);
  shape.head_dim = or_else("head_dim", shape.d_model / shape.heads);
  shape.d_ff = or_else("d_ff", 4 * shape.d_model);
  shape.bias = spec.Flag("bias");
  shape.gated = spec.Flag("gated");
  shape.act = spec.Word("activation");
  shape.norm = spec.Word("norm") == "rms" ? Norm::kRms : Norm::kLayer;
  shape.attending = {.causal = true, .flash = spec.Word("kind") == "flash"};
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
    shape.latent = Latent{.query_rank = spec.Integer("query_latent"),
                          .rank = spec.Integer("latent")};
  }
  return shape;
}

// Layer `i` of the network, counted from 0.
Transformer LayerOf(const ZooSpec& spec, Transformer shape, int64_t i) {
  if (shape.experts == 1) return shape;
  const int64_t every = spec.Integer("expert_every");
  if (i < spec.Integer("dense_layers") || (i + 1) % every != 0) {
    shape.experts = 1;
  } else if (spec.Integer("expert_ff") > 0) {
    shape.d_ff = spec.Integer("expert_ff");
  }
  return shape;
}

// The trip of a loop that layer `i` is, or is a part of where layers of two
// kinds take turns.
LoopPlace TripOf(const ZooSpec& spec, int64_t i) {
  const int64_t every =
      spec.Integer("experts") > 1 ? spec.Integer("expert_every") : 1;
  return {static_cast<int32_t>(i / every) + 1, 1};
}

// What tokens are told from: the token table or a matrix of its own. Never
// quantised.
struct Vocabulary {
  OpId weights = kNoOp;
  int64_t feature_dim = 0;  // of weights
};

Vocabulary MakeVocabulary(Net& net, OpId table, const ZooSpec& spec) {
  net.Layer("vocabulary");
  if (spec.Flag("tied")) {
    return {net.builder.Convert(table, net.compute_type()), 1};
  }
  return {
      net.Weight("kernel", {spec.Integer("d_model"), spec.Integer("vocab")}),
      0};
}

OpId Logits(Net& net, const std::string& name, OpId x, Norm norm,
            const Vocabulary& vocabulary) {
  net.Layer(name + "_norm");
  x = Normalise(net, x, norm);
  net.Layer("vocabulary");
  return net.builder.Dot(x, vocabulary.weights,
                         {{}, {}, {2}, {vocabulary.feature_dim}});
}

// Multi-token prediction (DeepSeek-V3, 2024): a layer that gets what the
// network made of each token, and the embedding of a later one.
OpId PredictAhead(Net& net, const std::string& name, OpId x, OpId table,
                  OpId& ids, const Transformer& shape) {
  GraphBuilder& b = net.builder;
  const int64_t seq = net.shape(ids).dims[1].factor;
  net.Layer(name + "/embedding");
  ids =
      b.Concatenate({b.SliceDim(ids, 1, 1, seq), b.SliceDim(ids, 1, 0, 1)}, 1);
  const OpId later = LookUp(net, table, ids);
  net.Layer(name + "/token_norm");
  const OpId token = Normalise(net, later, shape.norm);
  net.Layer(name + "/norm");
  x = b.Concatenate({Normalise(net, x, shape.norm), token}, 2);
  net.Layer(name + "/projection");
  return PreNormLayer(net, name, net.Dense(x, shape.d_model, shape.bias),
                      shape);
}

// Of decoding: one example's new positions see the whole cache.
absl::Status AddCache(Net& net, const ZooSpec& spec, Transformer& shape) {
  const int64_t cached = spec.Integer("cached");
  if (cached == 0) return absl::OkStatus();
  const int64_t seq = spec.Integer("seq");
  if (spec.training() || shape.latent || cached < seq) {
    return InvalidInput(fmt::format(
        "parameter 'cached': found {}, expected 0 in training and with latent "
        "attention, else at least the {} positions that run",
        cached, seq));
  }
  net.Layer("cache");
  shape.cache =
      KeyValueCache{cached, net.builder.Parameter({DType::kS32, {}}, "first")};
  return absl::OkStatus();
}

absl::Status CheckLatent(const ZooSpec& spec) {
  const bool plain = spec.Word("positions") == "rotary" && !spec.Flag("bias");
  if (spec.Integer("latent") == 0 || plain) return absl::OkStatus();
  return InvalidInput(
      "parameter 'latent': expected positions=rotary and bias=0 with it");
}

absl::Status CheckAhead(const ZooSpec& spec) {
  const bool knows_later = spec.Integer("seq") > 1;
  if (spec.Integer("mtp_layers") == 0 ||
      (knows_later && spec.Integer("cached") == 0)) {
    return absl::OkStatus();
  }
  return InvalidInput(
      "parameter 'mtp_layers': expected several positions and no cache with "
      "it");
}

absl::StatusOr<Graph> Build(const ZooSpec& spec) {
  Transformer shape = ShapeOf(spec);
  TW_RETURN_IF_ERROR(CheckHeads(shape));
  TW_RETURN_IF_ERROR(CheckLatent(spec));
  TW_RETURN_IF_ERROR(CheckAhead(spec));
  Net net(spec, true);
  const int64_t seq = spec.Integer("seq");
  const OpId ids = spec.Integer("cached") > 0
                       ? net.FixedIds("tokens", {spec.Integer("slots"), seq})
                       : net.Ids("tokens", {seq});
  net.Layer("embedding");
  const OpId table =
      net.StoredWeight("table", {spec.Integer("vocab"), shape.d_model});
  OpId x = LookUp(net, table, ids);
  if (spec.Word("positions") == "rotary") {
    shape.rotary = MakeRotary(
        net, seq, shape.latent ? shape.latent->rotary_dim : shape.head_dim);
  } else {
    x = AddPositions(net, x, "positions");
  }
  TW_RETURN_IF_ERROR(AddCache(net, spec, shape));
  const bool scans = spec.Flag("scan") && spec.training();
  for (int64_t i = 0; i < spec.Integer("layers"); ++i) {
    if (scans) net.builder.SetLoop(TripOf(spec, i));
    x = PreNormLayer(net, fmt::format("layer{}", i + 1), x,
                     LayerOf(spec, shape, i));
  }
  net.builder.SetLoop({});
  const Vocabulary vocabulary = MakeVocabulary(net, table, spec);
  std::vector<OpId> results = {Logits(net, "last", x, shape.norm, vocabulary)};
  OpId later = ids;
  for (int64_t i = 0; i < spec.Integer("mtp_layers"); ++i) {
    const std::string name = fmt::format("mtp{}", i + 1);
    x = PredictAhead(net, name, x, table, later,
                     LayerOf(spec, shape, spec.Integer("layers") - 1));
    results.push_back(Logits(net, name + "/last", x, shape.norm, vocabulary));
  }
  return net.Finish(results);
}

}  // namespace

ZooModel DecoderModel() {
  return {"decoder", "decoder-only language model, dense or with experts",
          kParameters, Build};
}

}  // namespace tilewise
