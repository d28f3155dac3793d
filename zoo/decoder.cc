// Decoder-only language model: causal self-attention with grouped queries,
// gated or plain feed-forward networks or experts. Default: the shapes of an
// 8 B Llama 3.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "zoo/decoder_shape.h"
#include "zoo/models.h"
#include "zoo/recurrent_block.h"
#include "zoo/transformer_block.h"

namespace tilewise {
namespace {

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
  return {net.Weight("kernel", {spec.Integer("d_model"), spec.Integer("vocab")}), 0};
}

// Returns whether logits stay as the matrix unit adds them up, or have the type
// of the network.
bool HasWideLogits(const Net& net, const ZooSpec& spec) {
  if (!spec.training()) return false;
  const std::string_view word = spec.Word("logits");
  if (word != "auto") return word == "f32";
  return spec.Word("params") != "auto" && BitWidth(spec.Type("params")) < 32 &&
         BitWidth(net.compute_type()) < 32;
}

OpId Logits(Net& net, const std::string& name, OpId x, Norm norm, const Vocabulary& vocabulary,
            bool wide) {
  net.Layer(name + "_norm");
  x = Normalise(net, x, norm);
  net.Layer("vocabulary");
  DotAttrs attrs;
  attrs.lhs_contract = {2};
  attrs.rhs_contract = {vocabulary.feature_dim};
  attrs.wide = wide;
  return net.builder.DotAs(x, vocabulary.weights, std::move(attrs));
}

// `tiles` equal parts of the positions, the iterations of a loop behind `last`. A loss that makes
// wide logits itself gets both operands as wide, so that it adds up in f32 (tokamax).
std::vector<OpId> TiledLogits(Net& net, OpId x, Norm norm, const Vocabulary& vocabulary,
                              int64_t tiles, EnclosingLoop last, bool wide) {
  net.Layer("last_norm");
  x = Normalise(net, x, norm);
  const DType type = wide ? DType::kF32 : net.compute_type();
  x = net.builder.Convert(x, type);
  net.Layer("vocabulary");
  const OpId weights = net.builder.Convert(vocabulary.weights, type);
  const int64_t size = net.shape(x).size(1) / tiles;
  std::vector<OpId> logits;
  last.first = last.id + 1;
  for (int64_t i = 0; i < tiles; ++i) {
    net.Layer(fmt::format("vocabulary/tile{}", i + 1));
    ++last.id;
    last.layer = 0;
    net.builder.SetLoop(last);
    logits.push_back(net.builder.Dot(net.builder.SliceDim(x, 1, i * size, (i + 1) * size), weights,
                                     {{}, {}, {2}, {vocabulary.feature_dim}}));
  }
  net.builder.SetLoop({});
  return logits;
}

OpId Embed(Net& net, OpId table, OpId ids, const ZooSpec& spec) {
  return spec.Word("lookup") == "one_hot" ? LookUpByMatmul(net, table, ids)
                                          : LookUp(net, table, ids);
}

// Multi-token prediction (DeepSeek-V3, 2024): a layer that gets what the
// network made of each token, and the embedding of a later one.
OpId PredictAhead(Net& net, const std::string& name, OpId x, OpId table, OpId& ids,
                  const ZooSpec& spec, const Transformer& shape) {
  GraphBuilder& b = net.builder;
  const int64_t seq = net.shape(ids).dims[1].factor;
  net.Layer(name + "/embedding");
  ids = b.Concatenate({b.SliceDim(ids, 1, 1, seq), b.SliceDim(ids, 1, 0, 1)}, 1);
  const OpId later = Embed(net, table, ids, spec);
  net.Layer(name + "/token_norm");
  const OpId token = Normalise(net, later, shape.norm);
  net.Layer(name + "/norm");
  x = b.Concatenate({Normalise(net, x, shape.norm), token}, 2);
  net.Layer(name + "/projection");
  return PreNormLayer(net, name, net.Dense(x, shape.d_model, shape.bias), shape);
}

// Adds the cache of decoding: one example's new positions see all of it.
absl::Status AddCache(Net& net, const ZooSpec& spec, Transformer& shape) {
  const int64_t cached = spec.Integer("cached");
  if (cached == 0) return absl::OkStatus();
  const int64_t seq = spec.Integer("seq");
  if (spec.training() || shape.latent || cached < seq) {
    return InvalidInput(
        fmt::format("parameter 'cached': found {}, expected 0 in training and with latent "
                    "attention, else at least the {} positions that run",
                    cached, seq));
  }
  net.Layer("cache");
  shape.cache = KeyValueCache{cached, net.builder.Parameter({DType::kS32, {}}, "first")};
  return absl::OkStatus();
}

int64_t RotaryDim(const Transformer& layer) {
  return layer.latent ? layer.latent->rotary_dim : layer.head_dim;
}

using Rotaries = std::map<int64_t, Rotary>;  // by features of a head

// Makes those of each kind of layer.
Rotaries MakeRotaries(Net& net, const ZooSpec& spec, const Transformer& shape) {
  Rotaries rotaries;
  const int64_t kinds = std::max<int64_t>(1, spec.Integer("global_every"));
  for (int64_t i = 0; i < kinds; ++i) {
    const int64_t dim = RotaryDim(DecoderLayer(spec, shape, i));
    if (rotaries.contains(dim)) continue;
    rotaries[dim] = MakeRotary(net, spec.Integer("seq"), dim);
  }
  return rotaries;
}

absl::StatusOr<Graph> BuildDecoder(const ZooSpec& spec) {
  TW_ASSIGN_OR_RETURN(Transformer shape, DecoderShape(spec));
  const int64_t vocab_tiles = spec.training() ? spec.Integer("vocab_tiles") : 1;
  TW_RETURN_IF_ERROR(CheckDivides("vocab_tiles", vocab_tiles, spec.Integer("seq")));
  Net net(spec, true);
  const int64_t seq = spec.Integer("seq");
  const OpId ids = spec.Integer("cached") > 0 ? net.FixedIds("tokens", {spec.Integer("slots"), seq})
                                              : net.Ids("tokens", {seq});
  net.Layer("embedding");
  const OpId table = net.StoredWeight("table", {spec.Integer("vocab"), shape.d_model});
  OpId x = Embed(net, table, ids, spec);
  Rotaries rotaries;
  if (spec.Word("positions") == "rotary") {
    rotaries = MakeRotaries(net, spec, shape);
  } else {
    x = AddPositions(net, x, "positions");
  }
  TW_RETURN_IF_ERROR(AddCache(net, spec, shape));
  const auto layer = [&](int64_t i) {
    Transformer its = DecoderLayer(spec, shape, i);
    if (!rotaries.empty()) its.rotary = rotaries.at(RotaryDim(its));
    return its;
  };
  const bool scans = spec.Flag("scan") && spec.training();
  for (int64_t i = 0; i < spec.Integer("layers"); ++i) {
    if (scans) net.builder.SetLoop(DecoderIteration(spec, i));
    x = PreNormLayer(net, fmt::format("layer{}", i + 1), x, layer(i));
  }
  net.builder.SetLoop({});
  const Vocabulary vocabulary = MakeVocabulary(net, table, spec);
  std::vector<OpId> results, tiles;
  if (vocab_tiles > 1) {
    tiles =
        TiledLogits(net, x, shape.norm, vocabulary, vocab_tiles,
                    DecoderIteration(spec, spec.Integer("layers") - 1), HasWideLogits(net, spec));
  } else {
    results = {Logits(net, "last", x, shape.norm, vocabulary, HasWideLogits(net, spec))};
  }
  OpId later = ids;
  for (int64_t i = 0; i < spec.Integer("mtp_layers"); ++i) {
    const std::string name = fmt::format("mtp{}", i + 1);
    x = PredictAhead(net, name, x, table, later, spec, layer(spec.Integer("layers") - 1));
    results.push_back(
        Logits(net, name + "/last", x, shape.norm, vocabulary, HasWideLogits(net, spec)));
  }
  return net.Finish(results, tiles);
}

}  // namespace

ZooModel DecoderModel() {
  return {"decoder", "decoder-only language model, dense or with experts", DecoderParameters(),
          BuildDecoder};
}

}  // namespace tilewise
