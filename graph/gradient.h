// Makes the gradients of an op's operands of the gradient of its result. The
// function of each kind is in its file of graph/ops.

#pragma once

#include <vector>

#include "graph/graph_builder.h"
#include "graph/op_traits.h"

namespace tilewise {

// A loop's gradients are a loop of their own, from its last iteration to its
// first.
inline EnclosingLoop GradientLoop(EnclosingLoop forward) {
  return {forward.id > 0 ? -forward.id : forward.id, forward.trip_count, forward.first,
          forward.layer};
}

// What a gradient function sees. New ops go into `builder`, which already
// holds `op`, its operands and `dy`.
struct GradientCall {
  GraphBuilder& builder;
  const Op& op;  // a copy that stays valid while ops are added
  // The run that op's result is from, which may leave further results: with the
  // operands of the forward pass where the result was kept though these are
  // computed again.
  const Op& run;
  OpId dy;                          // of op's shape and type
  const std::vector<bool>& wanted;  // by op id: needs a gradient

  OpId operand(size_t i) const { return op.operands[i]; }
  Shape shape(size_t i) const { return builder.shape(op.operands[i]); }
  bool wants(size_t i) const { return wanted[op.operands[i]]; }
};

// Null when `op` has no gradient function: leaves, powers of complex numbers, the gradients of
// windows, cells and attention themselves, matmuls over a dim of a window, running maxima and
// minima, scatters that do not add or assign, reductions by a computation of the user's, row sums
// of flash attention.
GradientFunction FindGradient(const Op& op);

// This is for flat functions.
Gradients NoGradient(const GradientCall& call);
// This is for ops whose result is their first operand.
Gradients PassGradient(const GradientCall& call);

}  // namespace tilewise
