// LSTM, GRU and RNN, one or two directions. Lengths of sequences are masks at
// most: all steps are computed.

#include "frontend/tensor/recurrent.h"

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "frontend/tensor/broadcast.h"
#include "frontend/tensor/gather.h"
#include "frontend/tensor/rearrange.h"

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
  const OpId pairs =
      b.Reshape(both, {{2, false}, {shape.dims[0].factor / 2, false}});
  return b.Reduce(Reducer::kSum, pairs, {0});
}

// The state of one direction, [batch, units].
OpId InitialState(NodeContext& ctx, int64_t direction, bool batch_first) {
  // Zeros change nothing, and are what exporters write.
  const MaybeKnown known = ctx.Known(5);
  if (!ctx.Has(5)) return kNoOp;
  if (known) {
    bool zeros = true;
    for (const KnownNumber& element : known->elements) {
      zeros = zeros && element.value == 0;
    }
    if (zeros) return kNoOp;
  }
  const Op& given = ctx.builder().op(ctx.Input(5));
  if (given.kind == OpKind::kConstant && given.attrs->value == 0) return kNoOp;
  return ElementAlong(ctx.builder(), ctx.Input(5), direction,
                      batch_first ? 1 : 0);
}

void Recur(NodeContext& ctx, CellKind cell) {
  GraphBuilder& b = ctx.builder();
  const bool batch_first = ctx.Int("layout", 0) != 0;
  const std::string_view direction = ctx.Text("direction", "forward");
  const int64_t directions = direction == "bidirectional" ? 2 : 1;
  OpId x = ctx.Input(0);
  if (!ctx.ok() || b.shape(x).rank() != 3) {
    return ctx.Fail(fmt::format("found {}, expected [time, batch, features]",
                                FormatShape(b.shape(x))));
  }
  if (!batch_first) x = b.Transpose(x, {1, 0, 2});
  std::vector<OpId> states;
  std::vector<OpId> finals;
  for (int64_t d = 0; d < directions && ctx.ok(); ++d) {
    const bool backwards = direction == "reverse" || d == 1;
    RecurrentInputs inputs;
    inputs.x = x;
    inputs.input = b.Convert(ctx.WeightInput(1, {d, {1, 0}}), b.shape(x).dtype);
    inputs.hidden =
        b.Convert(ctx.WeightInput(2, {d, {1, 0}}), b.shape(x).dtype);
    inputs.bias = BiasOf(ctx, d);
    inputs.h0 = InitialState(ctx, d, batch_first);
    states.push_back(RecurrentLayer(b, cell, inputs, backwards));
    finals.push_back(FinalState(b, states.back(), backwards));
  }
  if (!ctx.ok()) return;
  // [batch, time, units] each -> [time, directions, batch, units], or
  // [batch, time, directions, units].
  if (ctx.Wants(0)) {
    const OpId stacked = Stack(b, states, 2);
    ctx.Set(0, batch_first ? stacked : b.Transpose(stacked, {1, 2, 0, 3}));
  }
  const OpId last = Stack(b, finals, batch_first ? 1 : 0);
  if (ctx.Wants(1)) ctx.Set(1, last);
  // A cell state has the shape of the hidden one, which stands for it.
  if (ctx.Wants(2)) ctx.Set(2, last);
}

void Lstm(NodeContext& ctx) { Recur(ctx, CellKind::kLstm); }
void Gru(NodeContext& ctx) { Recur(ctx, CellKind::kGru); }
void Rnn(NodeContext& ctx) { Recur(ctx, CellKind::kSimpleRnn); }

constexpr OpEntry kEntries[] = {
    {kStandard, "LSTM", Lstm},
    {kStandard, "GRU", Gru},
    {kStandard, "RNN", Rnn},
};

}  // namespace

std::span<const OpEntry> RecurrentOps() { return kEntries; }

}  // namespace tilewise::onnx
