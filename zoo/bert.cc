// BERT pretraining (Devlin et al. 2018): encoder with norms after each half,
// the masked-token head on `predictions` positions, next-sentence head.
// Default: BERT-large, 336 M parameters. With `embedding` and `share_layers` it
// is ALBERT (Lan et al. 2019).

#include <fmt/format.h>

#include "zoo/models.h"
#include "zoo/recurrent_block.h"
#include "zoo/transformer_block.h"

namespace tilewise {
namespace {

constexpr ZooParameter kBertParameters[] = {
    {"layers", "24", "transformer layers", {}, 1, 256},
    {"d_model", "1024", "features of a token"},
    {"heads", "16", "attention heads, a divisor of d_model", {}, 1, 1 << 14},
    {"d_ff", "4096", "units of the feed-forward networks"},
    {"vocab", "30522", "tokens"},
    {"seq", "512", "positions of an example", {}, 1, 1 << 20},
    {"predictions", "76", "masked positions of an example; 0: all", {}, 0, 1 << 20},
    {"dropout", "10", "percent, of weights and of what each half adds", {}, 0, 99},
    {"classes", "0", "fine-tuning on so many classes instead of pretraining", {}, 0},
    {"embedding",
     "0",
     "features of a token vector, projected to d_model; 0: d_model",
     {},
     0,
     1 << 16},
    {"share_layers", "0", "1: all layers have the same weights, as in ALBERT", kFlagWords},
    AttentionKind("reference"),
    ComputeType(),
    kWeightType,
};

constexpr int64_t kSegments = 2;

OpId EmbedSegments(Net& net, OpId ids, OpId table, double dropout) {
  const OpId segments = net.Ids("segments", {net.shape(ids).dims[1].factor});
  OpId x = LookUp(net, table, ids);
  const OpId kinds = net.StoredWeight("segment_table", {kSegments, net.last_dim(x)});
  x = AddPositions(net, net.Add(x, LookUp(net, kinds, segments)), "positions");
  return net.Dropout(Normalise(net, x, Norm::kLayer), dropout);
}

// The hidden states of the masked positions, of all examples in one dim.
OpId MaskedStates(Net& net, OpId x, int64_t predictions) {
  const Shape shape = net.shape(x);
  const Dim feature = shape.dims[2];
  const OpId states = net.builder.Reshape(x, {BatchDim(shape.dims[1].factor), feature});
  if (predictions == 0) return states;
  const OpId places = net.Ids("masked_positions", {predictions});
  const OpId masked = net.builder.Gather(states, places);
  return net.builder.Reshape(masked, {BatchDim(predictions), feature});
}

// Matmuls with the token table itself.
OpId TokenLogits(Net& net, OpId x, OpId table) {
  net.Layer("token_head");
  GraphBuilder& b = net.builder;
  const int64_t features = net.last_dim(table);
  x = Normalise(net, b.Gelu(net.Dense(x, features, true), true), Norm::kLayer);
  const OpId weights = b.Convert(table, net.compute_type());
  return net.AddBias(b.Dot(x, weights, {{}, {}, {1}, {1}}), "token_bias");
}

// tanh of a matmul with the state of the first position.
OpId Pool(Net& net, OpId x, int64_t d_model) {
  net.Layer("pooler");
  const OpId first =
      net.builder.Reshape(net.builder.SliceDim(x, 1, 0, 1), {BatchDim(), {d_model, false}});
  return net.builder.Unary(OpKind::kTanh, net.Dense(first, d_model, true));
}

absl::StatusOr<Graph> BuildBert(const ZooSpec& spec) {
  TW_ASSIGN_OR_RETURN(const Transformer shape, TransformerShape(spec));
  const int64_t d_model = shape.d_model;
  Net net(spec);
  const OpId ids = net.Ids("tokens", {spec.Integer("seq")});
  net.Layer("embedding");
  const int64_t features = spec.Integer("embedding");
  const OpId table =
      net.StoredWeight("table", {spec.Integer("vocab"), spec.IntegerOr("embedding", d_model)});
  OpId x = EmbedSegments(net, ids, table, shape.dropout);
  if (features > 0) x = net.Dense(x, d_model, true, "projection");
  const bool shared = spec.Flag("share_layers");
  if (shared) net.ShareWeights();
  for (int64_t i = 0; i < spec.Integer("layers"); ++i) {
    x = PostNormLayer(net, shared ? "layer" : fmt::format("layer{}", i + 1), x, shape);
  }
  const OpId pooled = Pool(net, x, d_model);
  const int64_t classes = spec.Integer("classes");
  net.Layer("sentence_head");
  const OpId sentence = net.Dense(pooled, classes > 0 ? classes : kSegments, true);
  if (classes > 0) return net.Finish({sentence});
  const OpId masked = MaskedStates(net, x, spec.Integer("predictions"));
  return net.Finish({TokenLogits(net, masked, table), sentence});
}

}  // namespace

ZooModel BertModel() {
  return {"bert", "text encoder, pretraining or fine-tuning", kBertParameters, BuildBert};
}

}  // namespace tilewise
