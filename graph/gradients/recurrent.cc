// Gradient of a recurrent layer: one device loop gives the gradient of the
// gates' inputs; that of the recurrent weights is then a single dot over all
// examples and steps, as XLA hoists it out of the loop.

#include <utility>

#include "graph/gradients/gradient.h"

namespace tilewise {
namespace {

// h one step earlier in the direction of time, zero at the start.
OpId StateBefore(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const int64_t steps = call.op.shape.size(1);
  const bool reverse = call.op.attrs->reverse_time;
  const OpId kept = reverse ? b.SliceDim(call.op.id, 1, 1, steps)
                            : b.SliceDim(call.op.id, 1, 0, steps - 1);
  const std::vector<int64_t> pad = {0, 1, 0};
  const std::vector<int64_t> none = {0, 0, 0};
  return b.Pad(kept, 0, reverse ? none : pad, reverse ? pad : none, none);
}

// sum over examples and steps of state^T dz.
OpId SummedProducts(GraphBuilder& b, OpId state, OpId dz) {
  return b.Dot(state, dz, {.lhs_contract = {0, 1}, .rhs_contract = {0, 1}});
}

// The candidate of a gated recurrent unit sees the state times the reset gate,
// which is computed again: logistic(z_r + state R_r).
OpId ResetState(const GradientCall& call, OpId state) {
  GraphBuilder& b = call.builder;
  const int64_t units = call.op.shape.size(2);
  const OpId z = b.SliceDim(call.operand(0), 2, units, 2 * units);
  const OpId weights = b.SliceDim(call.operand(1), 1, units, 2 * units);
  const OpId sum = b.Binary(OpKind::kAdd, z, b.MatMul(state, weights));
  return b.Binary(OpKind::kMultiply, b.Unary(OpKind::kLogistic, sum), state);
}

OpId WeightGradient(const GradientCall& call, OpId dz) {
  GraphBuilder& b = call.builder;
  if (call.op.shape.size(1) == 1) return b.Constant(0, call.shape(1));
  const OpId state = StateBefore(call);
  if (call.op.attrs->cell != CellKind::kGru)
    return SummedProducts(b, state, dz);
  const int64_t units = call.op.shape.size(2);
  const OpId gates = b.SliceDim(dz, 2, 0, 2 * units);
  const OpId candidate = b.SliceDim(dz, 2, 2 * units, 3 * units);
  return b.Concatenate({SummedProducts(b, state, gates),
                        SummedProducts(b, ResetState(call, state), candidate)},
                       1);
}

}  // namespace

Gradients RecurrentGradient(const GradientCall& call) {
  const Attributes& attrs = call.op.attrs;
  const OpId dz =
      call.builder.RecurrentGrad(attrs.cell, call.operand(0), call.operand(1),
                                 call.op.id, call.dy, attrs.reverse_time);
  return {dz, call.wants(1) ? WeightGradient(call, dz) : kNoOp};
}

}  // namespace tilewise
