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
    case OpKind::kCeil:
    case OpKind::kIsFinite:
      return {2, 0};
    case OpKind::kRoundNearestEven:
    case OpKind::kRoundNearestAfz:
      return {4, 0};
    case OpKind::kPopcnt:
    case OpKind::kClz:
      return {8, 0};
    case OpKind::kExp:
      return {3, 1};
    case OpKind::kLog:
      return {6, 1};
    case OpKind::kLogPlusOne:  // and a series near 0
    case OpKind::kExpMinusOne:
      return {12, 1};
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
    case OpKind::kRemainder:  // divide, cut off, multiply, subtract
      return {18, 1};
    case OpKind::kPower:
    case OpKind::kCbrt:
      return {14, 2};
    case OpKind::kAtan2:  // divide, a polynomial, the quadrant
      return {40, 1};
    case OpKind::kTan:  // both, and divide
      return {60, 1};
    case OpKind::kSine:
    case OpKind::kCosine:
      return {30, 0};
    default:
      return {1, 0};
  }
}

// Masks are made by work on the registers of the operands.
double Registers(const OpContext& context, const Op& op) {
  const bool makes_mask =
      op.kind == OpKind::kCompare || op.kind == OpKind::kIsFinite;
  return makes_mask ? context.registers(context.operand(op, 0))
                    : context.registers(op);
}

// Of a complex number, whose parts have a register each. What goes part by part
// costs what it does of real numbers; a product takes four multiplies and two
// adds for two parts, and the other functions are made of a few real ones.
PerRegister ComplexCostOf(OpKind kind) {
  switch (kind) {
    case OpKind::kNegate:
    case OpKind::kAdd:
    case OpKind::kSubtract:
    case OpKind::kSelect:
    case OpKind::kCompare:
    case OpKind::kComplex:
    case OpKind::kConvert:
      return CostOf(kind);
    case OpKind::kMultiply:
      return {3, 0};
    default: {
      const PerRegister real = CostOf(kind);
      return {3 * real.alu + 3, 3 * real.transcendental};
    }
  }
}

// The size of a complex number, from its two parts.
constexpr PerRegister kMagnitude = {7, 1};

PerRegister CostOf(const OpContext& context, const Op& op) {
  if (!IsComplex(context.operand(op, 0).shape.dtype)) return CostOf(op.kind);
  if (op.kind == OpKind::kReal || op.kind == OpKind::kImag) return {1, 0};
  if (op.kind == OpKind::kAbs) return kMagnitude;
  return ComplexCostOf(op.kind);
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
  const PerRegister cost = CostOf(context, op);
  const double registers = Registers(context, op);
  OpWork work;
  work.vector.alu = cost.alu * registers;
  work.vector.transcendental = cost.transcendental * registers;
  return work;
}

}  // namespace tilewise
