// Gradients of functions of one element, written with the function's own
// result where that saves work. Kinks (abs and its like at 0) get slope 0.

#include <cmath>
#include <numbers>

#include "graph/gradients/gradient.h"

namespace tilewise {
namespace {

// The slope of op at its operand x, with y = op(x).
OpId Slope(GraphBuilder& b, OpKind kind, OpId x, OpId y) {
  switch (kind) {
    case OpKind::kAbs:
      return b.Unary(OpKind::kSign, x);
    case OpKind::kExp:
      return y;
    case OpKind::kTanh:  // 1 - y^2
      return b.BinaryScalar(
          OpKind::kAdd,
          b.Unary(OpKind::kNegate, b.Binary(OpKind::kMultiply, y, y)), 1);
    case OpKind::kLogistic:  // y (1 - y)
      return b.Binary(
          OpKind::kMultiply, y,
          b.BinaryScalar(OpKind::kAdd, b.Unary(OpKind::kNegate, y), 1));
    case OpKind::kRsqrt: {  // -y^3 / 2
      const OpId square = b.Binary(OpKind::kMultiply, y, y);
      const OpId cube = b.Binary(OpKind::kMultiply, square, y);
      return b.BinaryScalar(OpKind::kMultiply, cube, -0.5);
    }
    case OpKind::kErf: {  // 2 / sqrt(pi) exp(-x^2)
      const OpId square = b.Binary(OpKind::kMultiply, x, x);
      const OpId bell = b.Unary(OpKind::kExp, b.Unary(OpKind::kNegate, square));
      return b.BinaryScalar(OpKind::kMultiply, bell,
                            2 * std::numbers::inv_sqrtpi);
    }
    case OpKind::kSine:
      return b.Unary(OpKind::kCosine, x);
    case OpKind::kExpMinusOne:
      return b.BinaryScalar(OpKind::kAdd, y, 1);
    case OpKind::kTan:  // 1 + y^2
      return b.BinaryScalar(OpKind::kAdd, b.Binary(OpKind::kMultiply, y, y), 1);
    default:  // cosine
      return b.Unary(OpKind::kNegate, b.Unary(OpKind::kSine, x));
  }
}

}  // namespace

Gradients NoGradient(const GradientCall& call) {
  return Gradients(call.op.operands.size(), kNoOp);
}

Gradients UnaryGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId x = call.operand(0);
  switch (call.op.kind) {
    case OpKind::kNegate:
      return {b.Unary(OpKind::kNegate, call.dy)};
    case OpKind::kLog:
      return {b.Binary(OpKind::kDivide, call.dy, x)};
    case OpKind::kLogPlusOne:
      return {b.Binary(OpKind::kDivide, call.dy,
                       b.BinaryScalar(OpKind::kAdd, x, 1))};
    case OpKind::kCbrt: {  // dy / (3 y^2)
      const OpId square = b.Binary(OpKind::kMultiply, call.op.id, call.op.id);
      return {b.Binary(OpKind::kDivide, call.dy,
                       b.BinaryScalar(OpKind::kMultiply, square, 3))};
    }
    case OpKind::kSqrt: {  // dy / (2 y)
      const OpId half = b.BinaryScalar(OpKind::kMultiply, call.dy, 0.5);
      return {b.Binary(OpKind::kDivide, half, call.op.id)};
    }
    default:
      return {b.Binary(OpKind::kMultiply, call.dy,
                       Slope(b, call.op.kind, x, call.op.id))};
  }
}

Gradients ConvertGradient(const GradientCall& call) {
  return {call.builder.Convert(call.dy, call.shape(0).dtype)};
}

}  // namespace tilewise
