// Elementwise ops: vector instructions per register of the result. Cheap ops
// take one; the others a polynomial or refinement around the transcendental
// unit. Classes of op cost: tpu-hardware 3.3. Counts of exp, tanh, logistic and
// divide are fitted on the tpu-v4-vector measurements, the others are ours.
//
// A divisor that is broadcast inside the kernel, such as the sum of a softmax
// row, is inverted once where it is small: the reciprocal is the same in all
// iterations, and the registers of the result take a multiply each. The
// published v6e dump of an attention (tpu-hardware 4.3) leaves no room for
// more: its last fusion has 3.8 cycles a register for exponential and division.

#include "sim/lowering/kernels/op_work.h"

namespace tilewise {
namespace {

struct PerRegister {
  double alu = 1;
  double transcendental = 0;
};

PerRegister CostOf(OpKind kind) {
  switch (kind) {
    case OpKind::kSign:
    case OpKind::kFloor:
      return {2, 0};
    case OpKind::kExp:
      return {3, 1};
    case OpKind::kLog:
      return {6, 1};
    case OpKind::kTanh:
      return {1, 1};
    case OpKind::kLogistic:
      return {18, 2};
    case OpKind::kSqrt:
      return {4, 1};
    case OpKind::kRsqrt:
      return {3, 1};
    case OpKind::kDivide:
      return {14, 1};
    case OpKind::kErf:
      return {16, 1};
    case OpKind::kPower:
      return {14, 2};
    case OpKind::kSine:
    case OpKind::kCosine:
      return {30, 0};
    default:
      return {1, 0};
  }
}

// A compare works on the registers of its operands, not on those of the mask.
double Registers(const OpContext& context, const Op& op) {
  return op.kind == OpKind::kCompare ? context.registers(context.operand(op, 0))
                                     : context.registers(op);
}

bool DividesByBroadcast(const OpContext& context, const Op& op) {
  return op.kind == OpKind::kDivide &&
         context.operand(op, 1).kind == OpKind::kBroadcast;
}

OpWork DivideByBroadcast(const OpContext& context, const Op& op) {
  const Op& divisor = context.operand(context.operand(op, 1), 0);
  const PerRegister reciprocal = CostOf(OpKind::kDivide);
  const double registers = context.registers(divisor);
  OpWork work;
  work.vector.alu = context.registers(op) + reciprocal.alu * registers;
  work.vector.transcendental = reciprocal.transcendental * registers;
  return work;
}

}  // namespace

OpWork LowerElementwise(const OpContext& context, const Op& op) {
  if (DividesByBroadcast(context, op)) return DivideByBroadcast(context, op);
  const PerRegister cost = CostOf(op.kind);
  const double registers = Registers(context, op);
  OpWork work;
  work.vector.alu = cost.alu * registers;
  work.vector.transcendental = cost.transcendental * registers;
  return work;
}

}  // namespace tilewise
