// Language model of recurrent layers: token vectors, cells, a matmul with the
// vocabulary at every position.

#include <fmt/format.h>

#include "zoo/models.h"
#include "zoo/recurrent_block.h"

namespace tilewise {
namespace {

constexpr ZooParameter kLstmParameters[] = {
    {"layers", "2", "recurrent layers", {}, 1, 1024},
    {"units", "1024", "units of each layer"},
    {"embed", "1024", "features of a token vector"},
    {"vocab", "10000", "tokens"},
    {"seq", "64", "tokens of one example", {}, 1, 1 << 16},
    {"cell", "lstm", "kind of cell", "lstm|gru|rnn"},
    ComputeType(),
    kWeightType,
};

CellKind CellOf(std::string_view word) {
  if (word == "lstm") return CellKind::kLstm;
  return word == "gru" ? CellKind::kGru : CellKind::kSimpleRnn;
}

absl::StatusOr<Graph> BuildLstm(const ZooSpec& spec) {
  Net net(spec);
  const int64_t vocab = spec.Integer("vocab");
  const OpId ids = net.Ids("tokens", {spec.Integer("seq")});
  net.Layer("embedding");
  const OpId table = net.StoredWeight("table", {vocab, spec.Integer("embed")});
  OpId x = LookUp(net, table, ids);
  for (int64_t i = 0; i < spec.Integer("layers"); ++i) {
    net.Layer(fmt::format("layer{}", i + 1));
    x = RunCell(net, CellOf(spec.Word("cell")), x, spec.Integer("units"));
  }
  net.Layer("vocabulary");
  return net.Finish({net.Dense(x, vocab, true)});
}

}  // namespace

ZooModel LstmModel() { return {"lstm", "recurrent language model", kLstmParameters, BuildLstm}; }

}  // namespace tilewise
