// LSTM, GRU and RNN, one or two directions. Plain cells are one kernel; those
// with peepholes, an initial cell state or sequences of different lengths, of
// which all steps are computed, are a loop. Activations are taken to be the
// default ones.

#include "library/recurrent.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "library/broadcast.h"
#include "library/gather.h"
#include "library/rearrange.h"
#include "library/recurrent_steps.h"

namespace tilewise::onnx {
namespace {

// [directions, 2 gates units] -> the sum of input and recurrent biases.
OpId BiasOf(NodeContext& ctx, int64_t direction) {
  if (!ctx.Has(3)) return kNoOp;
  GraphBuilder& b = ctx.builder();
  const OpId both = ctx.WeightInput(3, {direction, {}});
  if (!ctx.ok()) return kNoOp;
  const Shape shape = b.shape(both);
  if (shape.rank() != 1 || shape.dims[0].factor % 2 != 0) {
    ctx.Fail(fmt::format("found bias {}", FormatShape(shape)));
    return kNoOp;
  }
  const OpId pairs = b.Reshape(both, {{2, false}, {shape.dims[0].factor / 2, false}});
  return b.Reduce(Reducer::kSum, pairs, {0});
}

// The state of one direction that operand `i` starts with, [batch, units].
// Zeros change nothing.
OpId InitialState(NodeContext& ctx, size_t i, int64_t direction, bool batch_first) {
  if (ctx.IsZeros(i)) return kNoOp;
  return ElementAlong(ctx.builder(), ctx.Input(i), direction, batch_first ? 1 : 0);
}

// Whether sequences may end before the last step.
bool HasLengths(NodeContext& ctx, int64_t steps) {
  if (!ctx.Has(4)) return false;
  const auto known = ctx.KnownInts(4);
  return !known || std::any_of(known->begin(), known->end(), [&](int64_t n) { return n < steps; });
}

struct Layer {
  CellKind cell;
  bool batch_first;  // [batch, time, ..], else [time, batch, ..]
  bool in_steps;     // more than kRecurrent has: written out as a loop
  bool has_lengths;
  OpId x;  // [batch, time, features]; [time, batch, features] for the loop
};

// x with batch and time in the other order, if it is to be.
OpId Swapped(NodeContext& ctx, OpId x, bool swap) {
  return swap ? ctx.builder().Transpose(x, {1, 0, 2}) : x;
}

Layer LayerOf(NodeContext& ctx, CellKind cell) {
  Layer layer{cell, ctx.Int("layout", 0) != 0, false, false, kNoOp};
  const Shape x = ctx.ShapeOf(0);
  if (x.rank() != 3) {
    ctx.Fail(fmt::format("found {}, expected [time, batch, features]", FormatShape(x)));
    return layer;
  }
  const Dim time = x.dims[layer.batch_first ? 1 : 0];
  layer.has_lengths = HasLengths(ctx, time.factor);
  const bool has_more = cell == CellKind::kLstm && (!ctx.IsZeros(6) || !ctx.IsZeros(7));
  layer.in_steps = layer.has_lengths || has_more;
  layer.x = Swapped(ctx, ctx.Input(0), layer.in_steps == layer.batch_first);
  return layer;
}

// One direction; its states are laid out as those of the node.
RecurrentResults InOneKernel(NodeContext& ctx, const Layer& layer, const RecurrentInputs& inputs,
                             bool backwards) {
  GraphBuilder& b = ctx.builder();
  const OpId states = RecurrentLayer(b, layer.cell, inputs, backwards);
  const OpId last = FinalState(b, states, backwards);
  // A cell state has the shape of the hidden one, which stands for it.
  const bool swap = !layer.batch_first && ctx.Wants(0);
  return {Swapped(ctx, states, swap), last, last};
}

RecurrentResults InSteps(NodeContext& ctx, const Layer& layer, const RecurrentInputs& inputs,
                         int64_t direction, bool backwards) {
  GraphBuilder& b = ctx.builder();
  OpId z = b.MatMul(layer.x, inputs.input);
  if (inputs.bias != kNoOp && ctx.ok()) {
    z = b.Binary(OpKind::kAdd, z, AlongDim(b, inputs.bias, z, 2));
  }
  RecurrentSteps steps;
  steps.cell = layer.cell;
  steps.gates = z;
  steps.hidden = inputs.hidden;
  steps.h0 = inputs.h0;
  steps.backwards = backwards;
  steps.reset_after = ctx.Int("linear_before_reset", 0) != 0;
  if (layer.has_lengths) steps.lengths = ctx.Input(4);
  if (layer.cell == CellKind::kLstm) {
    steps.c0 = InitialState(ctx, 6, direction, layer.batch_first);
    if (!ctx.IsZeros(7)) steps.peepholes = ctx.WeightInput(7, {direction, {}});
  }
  RecurrentResults results = RecurrentLoop(b, steps, ctx.loop(), ctx.NewLoop());
  results.states = Swapped(ctx, results.states, layer.batch_first && ctx.Wants(0));
  return results;
}

RecurrentResults OneDirection(NodeContext& ctx, const Layer& layer, int64_t direction,
                              bool backwards) {
  GraphBuilder& b = ctx.builder();
  const DType type = ctx.ShapeOf(0).dtype;
  RecurrentInputs inputs;
  inputs.x = layer.x;
  inputs.input = b.Convert(ctx.WeightInput(1, {direction, {1, 0}}), type);
  inputs.hidden = b.Convert(ctx.WeightInput(2, {direction, {1, 0}}), type);
  inputs.bias = BiasOf(ctx, direction);
  inputs.h0 = InitialState(ctx, 5, direction, layer.batch_first);
  return layer.in_steps ? InSteps(ctx, layer, inputs, direction, backwards)
                        : InOneKernel(ctx, layer, inputs, backwards);
}

void Recur(NodeContext& ctx, CellKind cell) {
  GraphBuilder& b = ctx.builder();
  const Layer layer = LayerOf(ctx, cell);
  const std::string_view direction = ctx.Text("direction", "forward");
  const int64_t directions = direction == "bidirectional" ? 2 : 1;
  std::vector<OpId> states, hidden, cells;
  for (int64_t d = 0; d < directions && ctx.ok(); ++d) {
    const bool backwards = direction == "reverse" || d == 1;
    const RecurrentResults one = OneDirection(ctx, layer, d, backwards);
    states.push_back(one.states);
    hidden.push_back(one.hidden);
    cells.push_back(one.cell);
  }
  if (!ctx.ok()) return;
  // [time, directions, batch, units], or [batch, time, directions, units].
  if (ctx.Wants(0)) ctx.Set(0, Stack(b, states, layer.batch_first ? 2 : 1));
  const int64_t axis = layer.batch_first ? 1 : 0;
  if (ctx.Wants(1)) ctx.Set(1, Stack(b, hidden, axis));
  if (ctx.Wants(2)) ctx.Set(2, Stack(b, cells, axis));
}

void Lstm(NodeContext& ctx) { Recur(ctx, CellKind::kLstm); }
void Gru(NodeContext& ctx) { Recur(ctx, CellKind::kGru); }
void Rnn(NodeContext& ctx) { Recur(ctx, CellKind::kSimpleRnn); }

constexpr OpEntry kRecurrentOps[] = {
    {kStandard, "LSTM", Lstm},
    {kStandard, "GRU", Gru},
    {kStandard, "RNN", Rnn},
};

}  // namespace

std::span<const OpEntry> RecurrentOps() { return kRecurrentOps; }

}  // namespace tilewise::onnx
