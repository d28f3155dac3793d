// Functions that neither the graph nor the vector unit has, written out as XLA
// expands them.

#include "frontend/hlo/ops.h"

namespace tilewise::hlo {
namespace {

// sqrt(1 - x^2), in the form that keeps small differences.
OpId Cathetus(Emitter& e, OpId x) {
  const OpId minus = e.BinaryScalar(OpKind::kMultiply, x, -1);
  const OpId product =
      e.Binary(OpKind::kMultiply, e.BinaryScalar(OpKind::kAdd, minus, 1),
               e.BinaryScalar(OpKind::kAdd, x, 1));
  return e.Unary(OpKind::kSqrt, product);
}

OpId Twice(Emitter& e, OpId x) {
  return e.BinaryScalar(OpKind::kMultiply, x, 2);
}

// (e^x + sign * e^-x) / 2.
OpId Hyperbolic(Emitter& e, OpId x, OpKind join) {
  const OpId up = e.Unary(OpKind::kExp, x);
  const OpId down = e.Unary(OpKind::kExp, e.Unary(OpKind::kNegate, x));
  return e.BinaryScalar(OpKind::kMultiply, e.Binary(join, up, down), 0.5);
}

// log(x + sqrt((x + 1)(x - 1))).
OpId Acosh(Emitter& e, OpId x) {
  const OpId product =
      e.Binary(OpKind::kMultiply, e.BinaryScalar(OpKind::kAdd, x, 1),
               e.BinaryScalar(OpKind::kSubtract, x, 1));
  const OpId root = e.Unary(OpKind::kSqrt, product);
  return e.Unary(OpKind::kLog, e.Binary(OpKind::kAdd, x, root));
}

// sign(x) log(|x| + sqrt(x^2 + 1)).
OpId Asinh(Emitter& e, OpId x) {
  const OpId square = e.Binary(OpKind::kMultiply, x, x);
  const OpId root =
      e.Unary(OpKind::kSqrt, e.BinaryScalar(OpKind::kAdd, square, 1));
  const OpId sum = e.Binary(OpKind::kAdd, e.Unary(OpKind::kAbs, x), root);
  return e.Binary(OpKind::kMultiply, e.Unary(OpKind::kSign, x),
                  e.Unary(OpKind::kLog, sum));
}

// (log1p(x) - log1p(-x)) / 2.
OpId Atanh(Emitter& e, OpId x) {
  const OpId minus = e.Unary(OpKind::kLogPlusOne, e.Unary(OpKind::kNegate, x));
  const OpId difference =
      e.Binary(OpKind::kSubtract, e.Unary(OpKind::kLogPlusOne, x), minus);
  return e.BinaryScalar(OpKind::kMultiply, difference, 0.5);
}

// The upper half of the product of 32-bit integers.
OpId Mulhi(Emitter& e, OpId x, OpId y) {
  const DType dtype = e.shape(x).dtype;
  const bool is_signed = dtype == DType::kS32;
  const DType wide = is_signed ? DType::kS64 : DType::kU64;
  const OpId product =
      e.Binary(OpKind::kMultiply, e.Convert(x, wide), e.Convert(y, wide));
  const OpId half = e.BinaryScalar(
      is_signed ? OpKind::kShiftRightArithmetic : OpKind::kShiftRightLogical,
      product, 32);
  return e.Convert(half, dtype);
}

}  // namespace

Value TranslateFunction(Translation& t, const Site& site) {
  Emitter& e = t.emit();
  const OpId x = site.operand(0);
  switch (site.instruction.opcode) {
    case Opcode::kAcos:
      return Twice(e, e.Binary(OpKind::kAtan2, Cathetus(e, x),
                               e.BinaryScalar(OpKind::kAdd, x, 1)));
    case Opcode::kAsin:
      return Twice(e,
                   e.Binary(OpKind::kAtan2, x,
                            e.BinaryScalar(OpKind::kAdd, Cathetus(e, x), 1)));
    case Opcode::kAtan:
      return e.BinaryScalar(OpKind::kAtan2, x, 1);
    case Opcode::kAcosh:
      return Acosh(e, x);
    case Opcode::kAsinh:
      return Asinh(e, x);
    case Opcode::kAtanh:
      return Atanh(e, x);
    case Opcode::kCosh:
      return Hyperbolic(e, x, OpKind::kAdd);
    case Opcode::kSinh:
      return Hyperbolic(e, x, OpKind::kSubtract);
    default:
      return Mulhi(e, x, site.operand(1));
  }
}

}  // namespace tilewise::hlo
