// Which ops have a gradient, and the gradients that several kinds have.

#include "graph/gradient.h"

namespace tilewise {

GradientFunction FindGradient(const Op& op) {
  const OpTraits& traits = TraitsOf(op.kind);
  if (op.kind == OpKind::kPower && IsComplex(op.shape.dtype)) return nullptr;
  if (traits.has_gradient != nullptr && !traits.has_gradient(op)) {
    return nullptr;
  }
  return traits.gradient;
}

Gradients NoGradient(const GradientCall& call) { return Gradients(call.op.operands.size(), kNoOp); }

Gradients PassGradient(const GradientCall& call) {
  Gradients result(call.op.operands.size(), kNoOp);
  result[0] = call.dy;
  return result;
}

}  // namespace tilewise
