// Algebraic identities of elementwise ops, as XLA's algebraic simplifier
// applies them: neutral elements, opposite ops, constants brought together,
// divisions and powers by constants turned into cheaper ops.

#include <cmath>
#include <utility>

#include "sim/lowering/simplify/simplifier.h"

namespace tilewise {
namespace {

bool IsSplat(const Simplifier& s, OpId id, double value) {
  return s.Splat(id) == std::optional<double>(value);
}

// Constants stand second in ops whose operands may be swapped.
bool HasConstantFirst(const Simplifier& s, const Op& op) {
  const bool commutes =
      op.kind == OpKind::kAdd || op.kind == OpKind::kMultiply ||
      op.kind == OpKind::kMaximum || op.kind == OpKind::kMinimum;
  return commutes && s.Splat(op.operands[0]) && !s.Splat(op.operands[1]);
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

OpId Add(Simplifier& s, const Op& op) {
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

OpId Subtract(Simplifier& s, const Op& op) {
  const OpId x = op.operands[0];
  const OpId y = op.operands[1];
  if (IsSplat(s, y, 0)) return x;
  if (IsSplat(s, x, 0)) return s.Emit(op, OpKind::kNegate, {y}, op.shape);
  if (s.op(y).kind == OpKind::kNegate) {
    return s.Emit(op, OpKind::kAdd, {x, s.op(y).operands[0]}, op.shape);
  }
  return kNoOp;
}

OpId Multiply(Simplifier& s, const Op& op) {
  const OpId x = op.operands[0];
  const OpId y = op.operands[1];
  if (IsSplat(s, y, 1)) return x;
  if (IsSplat(s, y, -1)) return s.Emit(op, OpKind::kNegate, {x}, op.shape);
  return Reassociate(s, op);
}

OpId Divide(Simplifier& s, const Op& op) {
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

OpId Power(Simplifier& s, const Op& op) {
  const OpId x = op.operands[0];
  const std::optional<double> exponent = s.Splat(op.operands[1]);
  if (!exponent || !IsFloat(op.shape.dtype)) return kNoOp;
  if (*exponent == 0) return s.Constant(op, 1, op.shape);
  if (*exponent == 1) return x;
  if (*exponent == 2) {
    return s.Emit(op, OpKind::kMultiply, {x, x}, op.shape);
  }
  if (*exponent == -1) {
    const OpId one = s.Constant(op, 1, op.shape);
    return s.Emit(op, OpKind::kDivide, {one, x}, op.shape);
  }
  return kNoOp;
}

OpId Select(Simplifier& s, const Op& op) {
  if (op.operands[1] == op.operands[2]) return op.operands[1];
  const std::optional<double> pred = s.Splat(op.operands[0]);
  if (!pred) return kNoOp;
  return op.operands[*pred != 0 ? 1 : 2];
}

// An op that is its own inverse, twice.
OpId Twice(Simplifier& s, const Op& op) {
  const Op& inner = s.op(op.operands[0]);
  return inner.kind == op.kind ? inner.operands[0] : kNoOp;
}

OpId Identity(Simplifier& s, const Op& op) {
  switch (op.kind) {
    case OpKind::kAdd:
      return Add(s, op);
    case OpKind::kSubtract:
      return Subtract(s, op);
    case OpKind::kMultiply:
      return Multiply(s, op);
    case OpKind::kDivide:
      return Divide(s, op);
    case OpKind::kPower:
      return Power(s, op);
    case OpKind::kMaximum:
    case OpKind::kMinimum:
      return op.operands[0] == op.operands[1] ? op.operands[0] : kNoOp;
    case OpKind::kSelect:
      return Select(s, op);
    case OpKind::kNegate:
    case OpKind::kNot:
      return Twice(s, op);
    default:
      return kNoOp;
  }
}

}  // namespace

OpId ApplyIdentity(Simplifier& s, const Op& op) {
  if (!HasConstantFirst(s, op)) return Identity(s, op);
  Op ordered = op;
  std::swap(ordered.operands[0], ordered.operands[1]);
  return s.Emit(std::move(ordered));
}

}  // namespace tilewise
