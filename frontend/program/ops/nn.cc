// Normalisations, attention, recurrent layers and losses of rows.

#include "frontend/program/ops/made.h"
#include "library/attention.h"
#include "library/gather.h"
#include "library/losses.h"
#include "library/normalizations.h"
#include "library/random.h"
#include "library/recurrent.h"

namespace tilewise::program {
namespace {

// Attribute `dims`, ascending; the last dim where there is none.
std::vector<int64_t> NormDims(OpCall& call, OpId x) {
  GraphBuilder& b = call.builder();
  std::vector<int64_t> dims =
      DimsOf(b, ListOf(call, "dims").value_or(std::vector<int64_t>{-1}), b.shape(x).rank());
  std::sort(dims.begin(), dims.end());
  return dims;
}

void LayerNormCall(OpCall& call) {
  const OpId x = call.Input(0);
  const std::vector<int64_t> dims = NormDims(call, x);
  call.Set(0, LayerNormOf(call.builder(), x, call.OptionalInput(1), call.OptionalInput(2), dims,
                          call.Float("epsilon", 1e-5)));
}

void RmsNormCall(OpCall& call) {
  const OpId x = call.Input(0);
  const std::vector<int64_t> dims = NormDims(call, x);
  call.Set(0, RmsNorm(call.builder(), x, call.OptionalInput(1), dims, call.Float("epsilon", 1e-6)));
}

void GroupNormCall(OpCall& call) {
  const OpId x = call.Input(0);
  GraphBuilder& b = call.builder();
  const int64_t feature_dim = DimOf(b, call.Int("feature_dim", -1), b.shape(x).rank());
  if (!call.ok()) return;
  const auto norm = call.Bool("features_together", false) ? GroupNormOfFeatures : GroupNorm;
  call.Set(0, norm(b, x, call.OptionalInput(1), call.OptionalInput(2), call.Int("groups", 1),
                   call.Float("epsilon", 1e-5), feature_dim));
}

// x, scale, offset, mean, variance: statistics that are weights are updated by
// a step that trains.
void BatchNormCall(OpCall& call) {
  const OpId x = call.Input(0);
  const BatchNormInputs inputs{call.OptionalInput(1), call.OptionalInput(2), call.OptionalInput(3),
                               call.OptionalInput(4)};
  if (!call.ok()) return;
  call.Set(0, BatchNormOf(call.builder(), x, inputs, call.Int("feature_dim", -1),
                          call.Float("epsilon", 1e-5), call.Bool("training", false),
                          call.Float("momentum", 0.9)));
}

// A mask of four dims; of fewer, its trailing ones.
OpId MaskOf(OpCall& call, int64_t i, DType type) {
  if (!call.Has(i) || !call.ok()) return kNoOp;
  GraphBuilder& b = call.builder();
  OpId mask = call.Input(i);
  std::vector<Dim> dims = b.shape(mask).dims;
  if (dims.size() < 4) dims.insert(dims.begin(), 4 - dims.size(), Dim{});
  mask = b.Reshape(mask, std::move(dims));
  return IsFloat(b.shape(mask).dtype) ? b.Convert(mask, type) : AsPred(b, mask);
}

// q, k, v [n, tokens, heads, depth] and maybe a mask.
void AttentionCall(OpCall& call) {
  GraphBuilder& b = call.builder();
  const OpId q = call.Input(0);
  OpId k = call.Input(1), v = call.Input(2);
  if (!call.ok()) return;
  const DType type = b.shape(q).dtype;
  k = b.Convert(k, type);
  v = b.Convert(v, type);
  const double rate = call.Float("dropout", 0);
  if (rate > 0 && rate < 1 && !call.Has(3)) {
    const ScaledQueries queries{call.Bool("causal", false), call.Bool("wide", false), rate};
    return call.Set(0, AttendScaledQueries(b, q, k, v, queries).result);
  }
  AttentionOptions options;
  options.causal = call.Bool("causal", false);
  options.flash = call.Bool("flash", false);
  options.sliding_window = call.Int("sliding_window", 0);
  if (call.Find("scale") != nullptr) options.scale = call.Float("scale", 1);
  call.Set(0, b.Attention(q, k, v, options, MaskOf(call, 3, type)));
}

// Numbers that differ only in dims `shared` are dropped together.
void DropoutCall(OpCall& call) {
  const double rate = call.Float("rate", 0.5);
  if (!(rate > 0)) return call.Forward(0, 0);
  const OpId x = call.Input(0);
  GraphBuilder& b = call.builder();
  const std::vector<int64_t> shared =
      DimsOf(b, ListOf(call, "shared").value_or(std::vector<int64_t>()), b.shape(x).rank());
  if (!call.ok()) return;
  call.Set(0, rate < 1 ? Dropout(b, x, rate, shared).result : FilledLike(b, x, 0));
}

constexpr std::array<std::pair<std::string_view, CellKind>, 4> kCells = {{
    {"lstm", CellKind::kLstm},
    {"gru", CellKind::kGru},
    {"rnn", CellKind::kSimpleRnn},
    {"simple_rnn", CellKind::kSimpleRnn},
}};

// x [n, time, features], input weights [features, gates x units], hidden ones
// [units, gates x units], maybe a bias and a first state. Results: the states,
// [n, time, units], and the last of them.
void RecurrentCall(OpCall& call) {
  const std::string_view name = call.Text("cell", "lstm");
  const CellKind* cell = FindNamed(kCells, name);
  if (cell == nullptr) return call.Fail(fmt::format("found cell '{}'", name));
  GraphBuilder& b = call.builder();
  RecurrentInputs inputs;
  inputs.x = call.Input(0);
  if (!call.ok()) return;
  const DType type = b.shape(inputs.x).dtype;
  inputs.input = b.Convert(call.Input(1), type);
  inputs.hidden = b.Convert(call.Input(2), type);
  inputs.bias = call.OptionalInput(3);
  if (!call.IsZeros(4)) inputs.h0 = call.Input(4);
  const bool backwards = call.Bool("reverse", false);
  const OpId states = RecurrentLayer(b, *cell, inputs, backwards);
  call.Set(0, states);
  if (call.Wants(1)) call.Set(1, FinalState(b, states, backwards));
}

// Logits [.., classes] and labels: rows like them, or class ids [..]. The loss
// of each row, in f32.
void CrossEntropyCall(OpCall& call) {
  GraphBuilder& b = call.builder();
  const OpId logits = b.Convert(call.Input(0), DType::kF32);
  OpId labels = call.Input(1);
  if (!call.ok()) return;
  const bool ids = b.shape(labels).rank() < b.shape(logits).rank();
  labels = b.Convert(labels, ids ? DType::kS32 : DType::kF32);
  call.Set(0, b.SoftmaxCrossEntropy(logits, labels));
}

void LikelihoodCall(OpCall& call) {
  const OpId x = call.Input(0);
  call.Set(0, NegativeLogLikelihood(call.builder(), x, call.Input(1)));
}

constexpr OpEntry kNnOps[] = {
    {"softmax", Row<SoftmaxOf, Operand<0>, IntAttr<"dim", -1>>},
    {"log_softmax", Row<LogSoftmaxOf, Operand<0>, IntAttr<"dim", -1>>},
    {"unit_length", Row<UnitLength, Operand<0>, IntAttr<"dim", -1>>},
    {"layer_norm", LayerNormCall},
    {"rms_norm", RmsNormCall},
    {"group_norm", GroupNormCall},
    {"batch_norm", BatchNormCall},
    {"attention", AttentionCall},
    {"dropout", DropoutCall},
    {"recurrent", RecurrentCall},
    {"cross_entropy", CrossEntropyCall},
    {"negative_log_likelihood", LikelihoodCall},
};

}  // namespace

std::span<const OpEntry> NnOps() { return kNnOps; }

}  // namespace tilewise::program
