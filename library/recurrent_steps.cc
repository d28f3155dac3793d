// Equations: LSTM, GRU and RNN of the ONNX operators' specification, with the
// default activations.

#include "library/recurrent_steps.h"

#include <vector>

#include <fmt/format.h>

#include "library/broadcast.h"
#include "library/trip_count.h"

namespace tilewise {
namespace {

class StepLoop {
 public:
  StepLoop(GraphBuilder& builder, const RecurrentSteps& steps) : b_(builder), steps_(steps) {}

  RecurrentResults Run(EnclosingLoop outer, int32_t loop) {
    if (!Fits()) return {};
    const OpId rows = Zeros({time_, batch_, units_});
    const OpId first = b_.Scalar(0, DType::kS32);
    const OpId h0 = Initial(steps_.h0);
    const OpId c0 = Initial(steps_.c0);
    b_.SetLoop(LoopWithin(outer, loop, time_.factor));
    OpId step = b_.Barrier(first, {});
    if (steps_.backwards) {
      step = ScalarWith(b_, OpKind::kSubtract, static_cast<double>(time_.factor - 1), step);
    }
    h_ = b_.Barrier(h0, {});
    if (steps_.cell == CellKind::kLstm) c_ = b_.Barrier(c0, {});
    const OpId written = b_.Barrier(rows, {});
    RecurrentResults next = Next(step);
    OpId row = next.hidden;
    if (steps_.lengths != kNoOp) row = Masked(step, next);
    next.states = b_.DynamicUpdateSlice(written, Unsqueezed(b_, row, {0}), {step}, {0});
    b_.SetLoop(outer);
    return next;
  }

 private:
  bool Fits() {
    const Shape gates = b_.shape(steps_.gates);
    const Shape hidden = b_.shape(steps_.hidden);
    if (!b_.ok()) return false;
    if (gates.rank() != 3 || hidden.rank() != 2 || gates.dims[0].per_batch) {
      b_.Fail(
          fmt::format("found gates {} with recurrent weights {}, expected "
                      "[time, batch, gates] of a known number of steps",
                      FormatShape(gates), FormatShape(hidden)));
      return false;
    }
    time_ = gates.dims[0];
    batch_ = gates.dims[1];
    units_ = hidden.dims[0];
    type_ = gates.dtype;
    return true;
  }

  OpId Zeros(const std::vector<Dim>& dims) { return b_.Broadcast(b_.Scalar(0, type_), dims, {}); }
  OpId Initial(OpId state) {
    return state == kNoOp ? Zeros({batch_, units_}) : b_.Convert(state, type_);
  }

  // Gates `from` to `to` of [.., gates x units].
  OpId Gates(OpId x, int64_t from, int64_t to) {
    return b_.SliceDim(x, b_.shape(x).rank() - 1, from * units_.factor, to * units_.factor);
  }
  OpId Add(OpId x, OpId y) { return b_.Binary(OpKind::kAdd, x, y); }
  OpId Times(OpId x, OpId y) { return b_.Binary(OpKind::kMultiply, x, y); }
  OpId Sigmoid(OpId x) { return b_.Unary(OpKind::kLogistic, x); }
  OpId Tanh(OpId x) { return b_.Unary(OpKind::kTanh, x); }

  // x plus the cell state through peephole `i`.
  OpId Peeped(OpId x, int64_t i, OpId cell) {
    if (steps_.peepholes == kNoOp) return x;
    const OpId weights = AlongDim(b_, Gates(steps_.peepholes, i, i + 1), x, 1);
    return Add(x, Times(weights, cell));
  }

  RecurrentResults Next(OpId step) {
    const OpId z = Squeezed(b_, b_.DynamicSlice(steps_.gates, {step}, {0}, {1}), {0});
    if (steps_.cell == CellKind::kGru) return NextOfGru(z);
    const OpId sum = Add(z, b_.MatMul(h_, steps_.hidden));
    if (steps_.cell == CellKind::kSimpleRnn) return {kNoOp, Tanh(sum), kNoOp};
    const OpId input = Sigmoid(Peeped(Gates(sum, 0, 1), 0, c_));
    const OpId forget = Sigmoid(Peeped(Gates(sum, 2, 3), 2, c_));
    const OpId candidate = Tanh(Gates(sum, 3, 4));
    const OpId taken = Times(input, candidate);
    const OpId cell = Add(Times(forget, c_), taken);
    const OpId output = Sigmoid(Peeped(Gates(sum, 1, 2), 1, cell));
    return {kNoOp, Times(output, Tanh(cell)), cell};
  }

  RecurrentResults NextOfGru(OpId z) {
    const OpId of_state = b_.MatMul(h_, Gates(steps_.hidden, 0, 2));
    const OpId sum = Add(Gates(z, 0, 2), of_state);
    const OpId update = Sigmoid(Gates(sum, 0, 1));
    const OpId reset = Sigmoid(Gates(sum, 1, 2));
    const OpId weights = Gates(steps_.hidden, 2, 3);
    const OpId past = steps_.reset_after ? Times(reset, b_.MatMul(h_, weights))
                                         : b_.MatMul(Times(reset, h_), weights);
    const OpId candidate = Tanh(Add(Gates(z, 2, 3), past));
    const OpId kept = Times(update, b_.Binary(OpKind::kSubtract, h_, candidate));
    return {kNoOp, Add(candidate, kept), kNoOp};
  }

  // The states stay past the end of a sequence, and its row is 0.
  OpId Masked(OpId step, RecurrentResults& next) {
    const OpId at = b_.Broadcast(step, {batch_}, {});
    const OpId inside = b_.Compare(Comparison::kGt, b_.Convert(steps_.lengths, DType::kS32), at);
    const OpId mask = b_.Broadcast(inside, {batch_, units_}, {0});
    const OpId row = b_.Select(mask, next.hidden, FilledLike(b_, next.hidden, 0));
    next.hidden = b_.Select(mask, next.hidden, h_);
    if (next.cell != kNoOp) next.cell = b_.Select(mask, next.cell, c_);
    return row;
  }

  GraphBuilder& b_;
  const RecurrentSteps& steps_;
  Dim time_, batch_, units_;
  DType type_ = DType::kF32;
  OpId h_ = kNoOp;
  OpId c_ = kNoOp;
};

}  // namespace

RecurrentResults RecurrentLoop(GraphBuilder& builder, const RecurrentSteps& steps,
                               EnclosingLoop outer, int32_t loop) {
  return StepLoop(builder, steps).Run(outer, loop);
}

}  // namespace tilewise
