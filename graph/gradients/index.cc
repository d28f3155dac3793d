// Gradients of indexed access, and of ops nothing is known about.

#include <fmt/format.h>

#include "graph/gradients/gradient.h"

namespace tilewise {

Gradients GatherGradient(const GradientCall& call) {
  return {call.builder.ScatterAdd(call.operand(1), call.dy, call.shape(0)),
          kNoOp};
}

Gradients ScatterAddGradient(const GradientCall& call) {
  return {kNoOp, call.builder.Gather(call.dy, call.operand(0))};
}

// As unknown as the op itself, but shows up in the step with its shape.
Gradients OpaqueGradient(const GradientCall& call) {
  Gradients result;
  for (size_t i = 0; i < call.op.operands.size(); ++i) {
    std::vector<OpId> operands = call.op.operands;
    operands.push_back(call.dy);
    result.push_back(call.wants(i)
                         ? call.builder.Opaque(
                               fmt::format("{} gradient", call.op.attrs.label),
                               std::move(operands), call.shape(i))
                         : kNoOp);
  }
  return result;
}

}  // namespace tilewise
