// Functions of two elements, and select. Their rules are those of XLA's
// algebraic simplifier: neutral elements, opposite ops, constants brought
// together, divisions and powers by constants turned into cheaper ops.

#include <cmath>
#include <utility>

#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/ops/elementwise.h"
#include "sim/lowering/simplify/simplifier.h"

namespace tilewise {
namespace {

bool IsSplat(const Simplifier& s, OpId id, double value) {
  return s.Splat(id) == std::optional<double>(value);
}

// Constants stand second in ops whose operands may be swapped.
template <OpId (*kRule)(Simplifier& s, const Op& op)>
OpId Commuting(Simplifier& s, const Op& op) {
  if (!s.Splat(op.operands[0]) || s.Splat(op.operands[1])) return kRule(s, op);
  Op ordered = op;
  std::swap(ordered.operands[0], ordered.operands[1]);
  return s.Emit(std::move(ordered));
}

// (x o c) o d -> x o (c o d), for o = add, multiply on floats.
OpId Reassociate(Simplifier& s, const Op& op) {
  const Op inner = s.op(op.operands[0]);
  const std::optional<double> d = s.Splat(op.operands[1]);
  if (inner.kind != op.kind || !d || !IsFloat(op.shape.dtype)) return kNoOp;
  const std::optional<double> c = s.Splat(inner.operands[1]);
  if (!c) return kNoOp;
  const double folded = op.kind == OpKind::kAdd ? *c + *d : *c * *d;
  if (!std::isfinite(folded)) return kNoOp;
  const OpId constant = s.Constant(op, folded, op.shape);
  return s.Emit(op, op.kind, {inner.operands[0], constant}, op.shape);
}

OpId SimplifyAdd(Simplifier& s, const Op& op) {
  const OpId x = op.operands[0];
  const OpId y = op.operands[1];
  if (IsSplat(s, y, 0)) return x;
  if (s.op(y).kind == OpKind::kNegate) {
    return s.Emit(op, OpKind::kSubtract, {x, s.op(y).operands[0]}, op.shape);
  }
  if (s.op(x).kind == OpKind::kNegate) {
    return s.Emit(op, OpKind::kSubtract, {y, s.op(x).operands[0]}, op.shape);
  }
  return Reassociate(s, op);
}

OpId SimplifySubtract(Simplifier& s, const Op& op) {
  const OpId x = op.operands[0];
  const OpId y = op.operands[1];
  if (IsSplat(s, y, 0)) return x;
  if (IsSplat(s, x, 0)) return s.Emit(op, OpKind::kNegate, {y}, op.shape);
  if (s.op(y).kind == OpKind::kNegate) {
    return s.Emit(op, OpKind::kAdd, {x, s.op(y).operands[0]}, op.shape);
  }
  return kNoOp;
}

OpId SimplifyMultiply(Simplifier& s, const Op& op) {
  const OpId x = op.operands[0];
  const OpId y = op.operands[1];
  if (IsSplat(s, y, 1)) return x;
  if (IsSplat(s, y, -1)) return s.Emit(op, OpKind::kNegate, {x}, op.shape);
  // A condition as 1 or 0 chooses the other factor or 0.
  for (const auto& [factor, other] : {std::pair(x, y), std::pair(y, x)}) {
    const Op& convert = s.op(factor);
    if (convert.kind != OpKind::kConvert || !IsFloat(op.shape.dtype)) continue;
    const OpId pred = convert.operands[0];
    if (s.shape(pred).dtype != DType::kPred) continue;
    const OpId zero = s.Constant(op, 0, op.shape);
    return s.Emit(op, OpKind::kSelect, {pred, other, zero}, op.shape);
  }
  return Reassociate(s, op);
}

OpId SimplifyDivide(Simplifier& s, const Op& op) {
  const OpId x = op.operands[0];
  const std::optional<double> c = s.Splat(op.operands[1]);
  if (!c || !IsFloat(op.shape.dtype) || *c == 0) {
    return c == std::optional<double>(1) ? x : kNoOp;
  }
  if (*c == 1) return x;
  if (!std::isfinite(1 / *c)) return kNoOp;
  const OpId reciprocal = s.Constant(op, 1 / *c, op.shape);
  return s.Emit(op, OpKind::kMultiply, {x, reciprocal}, op.shape);
}

OpId SimplifyPower(Simplifier& s, const Op& op) {
  const OpId x = op.operands[0];
  const std::optional<double> exponent = s.Splat(op.operands[1]);
  if (!exponent || !IsFloat(op.shape.dtype)) return kNoOp;
  if (*exponent == 0) return s.Constant(op, 1, op.shape);
  if (*exponent == 1) return x;
  if (*exponent == 2 || *exponent == 3) {
    const OpId square = s.Emit(op, OpKind::kMultiply, {x, x}, op.shape);
    return *exponent == 2 ? square : s.Emit(op, OpKind::kMultiply, {square, x}, op.shape);
  }
  if (*exponent == -1) {
    const OpId one = s.Constant(op, 1, op.shape);
    return s.Emit(op, OpKind::kDivide, {one, x}, op.shape);
  }
  return kNoOp;
}

OpId SimplifySelect(Simplifier& s, const Op& op) {
  if (op.operands[1] == op.operands[2]) return op.operands[1];
  const std::optional<double> pred = s.Splat(op.operands[0]);
  if (!pred) return kNoOp;
  return op.operands[*pred != 0 ? 1 : 2];
}

OpId SimplifyExtremum(Simplifier&, const Op& op) {
  return op.operands[0] == op.operands[1] ? op.operands[0] : kNoOp;
}

// A divisor that is broadcast inside the kernel, such as the sum of a softmax
// row, is inverted once where it is small: the reciprocal is the same in all
// iterations, and the registers of the result take a multiply each. The
// published v6e dump of an attention (tpu-hardware 4.3) leaves no room for
// more: its last fusion has 3.8 cycles a register for exponential and division.
OpWork DivideWork(const OpContext& context, const Op& op) {
  if (context.operand(op, 1).kind != OpKind::kBroadcast) {
    return ElementwiseWork(context, op);
  }
  const Op& divisor = context.operand(context.operand(op, 1), 0);
  const RegisterCost reciprocal = LoweringTraitsOf(OpKind::kDivide).cost;
  const double registers = context.registers(divisor);
  OpWork work;
  work.vector.alu = context.registers(op) + reciprocal.alu * registers;
  work.vector.transcendental = reciprocal.transcendental * registers;
  return work;
}

// A product of complex numbers is four multiplies and two adds for two parts.
constexpr RegisterCost kComplexProduct = {3, 0};

}  // namespace

constexpr LoweringTraits lowering_traits::kAdd =
    Simplified(PartByPart(), Commuting<SimplifyAdd>, IsLinear);
constexpr LoweringTraits lowering_traits::kSubtract =
    Simplified(PartByPart(), SimplifySubtract, IsLinear);
constexpr LoweringTraits lowering_traits::kMultiply =
    Simplified(Elementwise({}, kComplexProduct), Commuting<SimplifyMultiply>);
constexpr LoweringTraits lowering_traits::kDivide =
    Simplified(Elementwise({14, 1}, {}, DivideWork), SimplifyDivide);
constexpr LoweringTraits lowering_traits::kMaximum =
    Simplified(Elementwise(), Commuting<SimplifyExtremum>);
constexpr LoweringTraits lowering_traits::kMinimum =
    Simplified(Elementwise(), Commuting<SimplifyExtremum>);
constexpr LoweringTraits lowering_traits::kPower = Simplified(Elementwise({14, 2}), SimplifyPower);
// Divide, cut off, multiply, subtract.
constexpr LoweringTraits lowering_traits::kRemainder = Elementwise({18, 1});
// Divide, a polynomial, the quadrant.
constexpr LoweringTraits lowering_traits::kAtan2 = Elementwise({40, 1});
constexpr LoweringTraits lowering_traits::kComplex = PartByPart();
constexpr LoweringTraits lowering_traits::kCompare = PartByPart();
constexpr LoweringTraits lowering_traits::kAnd = Elementwise();
constexpr LoweringTraits lowering_traits::kOr = Elementwise();
constexpr LoweringTraits lowering_traits::kXor = Elementwise();
constexpr LoweringTraits lowering_traits::kShiftLeft = Elementwise();
constexpr LoweringTraits lowering_traits::kShiftRightArithmetic = Elementwise();
constexpr LoweringTraits lowering_traits::kShiftRightLogical = Elementwise();
constexpr LoweringTraits lowering_traits::kSelect = Simplified(PartByPart(), SimplifySelect);

}  // namespace tilewise
