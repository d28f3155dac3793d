// Elementwise ops: vector instructions per register of the result. Cheap ops
// take one; the others a polynomial or refinement around the transcendental
// unit. Classes of op cost: tpu-hardware 3.3. Counts of exp, tanh, logistic and
// divide are fitted on the tpu-v4-vector measurements, the others are ours.

#include "sim/lowering/ops/elementwise.h"

namespace tilewise {
namespace {

// What goes part by part has a cost of its own; other functions of complex
// numbers are made of a few real ones.
RegisterCost ComplexCostOf(const LoweringTraits& traits) {
  if (traits.complex_cost) return *traits.complex_cost;
  return {3 * traits.cost.alu + 3, 3 * traits.cost.transcendental};
}

}  // namespace

OpWork ElementwiseWork(const OpContext& context, const Op& op) {
  const LoweringTraits& traits = LoweringTraitsOf(op.kind);
  const Op& operand = context.operand(op, 0);
  const RegisterCost cost = IsComplex(operand.shape.dtype) ? ComplexCostOf(traits) : traits.cost;
  // Masks are made by work on the registers of the operands.
  const bool makes_mask = op.kind == OpKind::kCompare || op.kind == OpKind::kIsFinite;
  const double registers = context.registers(makes_mask ? operand : op);
  OpWork work;
  work.vector.alu = cost.alu * registers;
  work.vector.transcendental = cost.transcendental * registers;
  return work;
}

std::optional<int64_t> SameDimOfOperand(const Graph&, const Op&, size_t, int64_t result_dim) {
  return result_dim;
}

}  // namespace tilewise
