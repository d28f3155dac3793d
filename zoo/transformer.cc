// Encoder-decoder transformer (Vaswani et al. 2017) for translation: norms
// before each half as in Tensor2Tensor, one table of tokens for both sides and
// the logits. All target positions run at once, as in training. Default:
// Transformer-big, 210 M parameters. Packed sentences are not masked from each
// other.

#include <cmath>

#include <fmt/format.h>

#include "zoo/models.h"
#include "zoo/recurrent_block.h"
#include "zoo/transformer_block.h"

namespace tilewise {
namespace {

constexpr ZooParameter kTransformerParameters[] = {
    {"layers", "6", "layers of the encoder, and of the decoder", {}, 1, 256},
    {"d_model", "1024", "features of a token"},
    {"heads", "16", "attention heads, a divisor of d_model", {}, 1, 1 << 14},
    {"d_ff", "4096", "units of the feed-forward networks"},
    {"vocab", "33708", "tokens of both languages"},
    {"seq", "256", "positions of the source", {}, 1, 1 << 20},
    {"target_seq", "0", "positions of the target; 0: seq", {}, 0, 1 << 20},
    {"dropout",
     "10",
     "percent of what each half adds and of attention's weights in the encoder",
     {},
     0,
     99},
    AttentionKind("reference"),
    ComputeType(),
    kWeightType,
};

OpId EmbedTokens(Net& net, OpId table, OpId ids, double dropout) {
  const OpId x =
      net.Scale(LookUp(net, table, ids), std::sqrt(static_cast<double>(net.last_dim(table))));
  return net.Dropout(x, dropout);
}

OpId DecoderLayer(Net& net, const std::string& name, OpId x, OpId memory,
                  const Transformer& shape) {
  x = AddNormed(net, name + "/norm1", x, shape,
                [&](OpId y) { return SelfAttention(net, name, y, shape); });
  x = AddNormed(net, name + "/source_norm", x, shape,
                [&](OpId y) { return CrossAttention(net, name + "/source", y, memory, shape); });
  return AddNormed(net, name + "/norm2", x, shape,
                   [&](OpId y) { return FeedForward(net, name, y, shape); });
}

absl::StatusOr<Graph> BuildTransformer(const ZooSpec& spec) {
  TW_ASSIGN_OR_RETURN(Transformer shape, TransformerShape(spec));
  shape.bias = false;
  shape.act = "relu";
  Net net(spec);
  const int64_t seq = spec.Integer("seq");
  const OpId source = net.Ids("source", {seq});
  const OpId target = net.Ids("target", {spec.IntegerOr("target_seq", seq)});
  net.Layer("embedding");
  const OpId table = net.StoredWeight("table", {spec.Integer("vocab"), shape.d_model});
  OpId memory = EmbedTokens(net, table, source, shape.dropout);
  const int64_t layers = spec.Integer("layers");
  for (int64_t i = 0; i < layers; ++i) {
    memory = PreNormLayer(net, fmt::format("encoder{}", i + 1), memory, shape);
  }
  net.Layer("encoder_norm");
  memory = Normalise(net, memory, shape.norm);
  net.Layer("embedding");
  OpId x = EmbedTokens(net, table, target, shape.dropout);
  shape.attending.causal = true;
  for (int64_t i = 0; i < layers; ++i) {
    x = DecoderLayer(net, fmt::format("decoder{}", i + 1), x, memory, shape);
  }
  net.Layer("decoder_norm");
  x = Normalise(net, x, shape.norm);
  net.Layer("vocabulary");
  const OpId weights = net.builder.Convert(table, net.compute_type());
  return net.Finish({net.builder.Dot(x, weights, {{}, {}, {2}, {1}})});
}

}  // namespace

ZooModel TransformerModel() {
  return {"transformer", "encoder and decoder, for translation", kTransformerParameters,
          BuildTransformer};
}

}  // namespace tilewise
