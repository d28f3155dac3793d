// Neural machine translation (Wu et al. 2016) in the size of the MLPerf
// benchmark: four layers on each side instead of eight, one vocabulary for both
// languages, attention from the first decoder layer; 161 M parameters. All
// target positions run at once, as in training.

#include <fmt/format.h>

#include "zoo/models.h"
#include "zoo/recurrent_block.h"

namespace tilewise {
namespace {

constexpr ZooParameter kGnmtParameters[] = {
    {"layers", "4", "layers of the encoder, and of the decoder", {}, 2, 64},
    {"units", "1024", "units of each layer and of a token vector", {}, 1, 1 << 16},
    {"vocab", "32317", "tokens of both languages"},
    {"seq", "50", "tokens of the source sentence", {}, 1, 1 << 14},
    {"target_seq", "50", "tokens of the target sentence", {}, 1, 1 << 14},
    ComputeType(),
    kWeightType,
};

constexpr CellKind kCell = CellKind::kLstm;
constexpr double kDropRate = 0.2;

// A layer whose input is added to its result once both have one width.
OpId Residual(Net& net, OpId x, int64_t units, bool add) {
  const OpId h = RunCell(net, kCell, net.Dropout(x, kDropRate), units);
  return add ? net.Add(h, x) : h;
}

OpId Encode(Net& net, OpId x, const ZooSpec& spec) {
  const int64_t units = spec.Integer("units");
  net.Layer("encoder1");
  const OpId dropped = net.Dropout(x, kDropRate);
  const OpId forward = RunCell(net, kCell, dropped, units, false, "forward_");
  const OpId backward = RunCell(net, kCell, dropped, units, true, "backward_");
  x = net.builder.Concatenate({forward, backward}, 2);
  for (int64_t i = 2; i <= spec.Integer("layers"); ++i) {
    net.Layer(fmt::format("encoder{}", i));
    x = Residual(net, x, units, i > 2);
  }
  return x;
}

// Bahdanau's attention: v . tanh(q + k) of each pair of positions, in the
// normalised form of the benchmark without its scalar gain.
OpId Attend(Net& net, OpId query, OpId memory, int64_t units) {
  net.Layer("attention");
  GraphBuilder& b = net.builder;
  const OpId q = net.Dense(query, units, false, "query_kernel");
  const OpId k = net.Dense(memory, units, true, "memory_kernel");
  const Shape of_q = net.shape(q);
  const Shape of_k = net.shape(k);
  const std::vector<Dim> pairs = {BatchDim(), of_q.dims[1], of_k.dims[1], {units, false}};
  OpId score = net.Add(b.Broadcast(q, pairs, {0, 1, 3}), b.Broadcast(k, pairs, {0, 2, 3}));
  score = b.Unary(OpKind::kTanh, score);
  const OpId v = b.Broadcast(net.Weight("v", {units}), pairs, {3});
  score = b.Reduce(Reducer::kSum, b.Binary(OpKind::kMultiply, score, v), {3});
  return b.Dot(b.Softmax(score, 2), memory, {{0}, {0}, {2}, {1}});
}

OpId Decode(Net& net, OpId x, OpId memory, const ZooSpec& spec) {
  const int64_t units = spec.Integer("units");
  net.Layer("decoder1");
  x = Residual(net, x, units, false);
  const OpId context = Attend(net, x, memory, units);
  for (int64_t i = 2; i <= spec.Integer("layers"); ++i) {
    net.Layer(fmt::format("decoder{}", i));
    const OpId joined = net.builder.Concatenate({x, context}, 2);
    const OpId h = RunCell(net, kCell, net.Dropout(joined, kDropRate), units);
    x = i > 2 ? net.Add(h, x) : h;
  }
  return x;
}

absl::StatusOr<Graph> BuildGnmt(const ZooSpec& spec) {
  Net net(spec);
  const int64_t vocab = spec.Integer("vocab");
  const OpId source = net.Ids("source", {spec.Integer("seq")});
  const OpId target = net.Ids("target", {spec.Integer("target_seq")});
  net.Layer("embedding");
  const OpId table = net.StoredWeight("table", {vocab, spec.Integer("units")});
  const OpId memory = Encode(net, LookUp(net, table, source), spec);
  const OpId x = Decode(net, LookUp(net, table, target), memory, spec);
  net.Layer("vocabulary");
  return net.Finish({net.Dense(x, vocab, true)});
}

}  // namespace

ZooModel GnmtModel() {
  return {"gnmt", "translation with recurrent layers and attention", kGnmtParameters, BuildGnmt};
}

}  // namespace tilewise
