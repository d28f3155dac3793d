// Decoder-only language model: causal self-attention with grouped queries,
// gated or plain feed-forward networks or experts. Default: the shapes of an
// 8 B Llama 3.

#include <fmt/format.h>

#include "zoo/models.h"
#include "zoo/recurrent_block.h"
#include "zoo/transformer_block.h"

namespace tilewise {
namespace {

constexpr int64_t kMostHeads = 1 << 14;

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
     "tokens that an expert takes, percent of an even split",
     {},
     1,
     10000},
    {"norm", "rms", "kind of norm", "rms|layer"},
    {"positions", "rotary", "position embedding", "rotary|learned"},
    {"bias", "0", "1: projections have biases", kFlagWords},
    {"tied", "0", "1: the token table is also the output matrix", kFlagWords},
    AttentionKind("flash"),
    ComputeType(),
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
  shape.experts = spec.Integer("experts");
  shape.top_k = spec.Integer("top_k");
  shape.capacity = static_cast<double>(spec.Integer("capacity")) / 100;
  return shape;
}

OpId Logits(Net& net, OpId x, OpId table, const ZooSpec& spec) {
  net.Layer("vocabulary");
  if (!spec.Flag("tied")) return net.Dense(x, spec.Integer("vocab"), false);
  const OpId weights = net.builder.Convert(table, net.compute_type());
  return net.builder.Dot(x, weights, {{}, {}, {2}, {1}});
}

absl::StatusOr<Graph> Build(const ZooSpec& spec) {
  Transformer shape = ShapeOf(spec);
  TW_RETURN_IF_ERROR(CheckHeads(shape));
  Net net(spec);
  const int64_t seq = spec.Integer("seq");
  const OpId ids = net.Ids("tokens", {seq});
  net.Layer("embedding");
  const OpId table =
      net.StoredWeight("table", {spec.Integer("vocab"), shape.d_model});
  OpId x = LookUp(net, table, ids);
  if (spec.Word("positions") == "rotary") {
    shape.rotary = MakeRotary(net, seq, shape.head_dim);
  } else {
    x = AddPositions(net, x, "positions");
  }
  for (int64_t i = 0; i < spec.Integer("layers"); ++i) {
    x = PreNormLayer(net, fmt::format("layer{}", i + 1), x, shape);
  }
  net.Layer("last_norm");
  x = Normalise(net, x, shape.norm);
  return net.Finish({Logits(net, x, table, spec)});
}

}  // namespace

ZooModel DecoderModel() {
  return {"decoder", "decoder-only language model, dense or with experts",
          kParameters, Build};
}

}  // namespace tilewise
