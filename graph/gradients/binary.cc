// Gradients of functions of two elements, and of select.

#include "graph/gradients/gradient.h"

namespace tilewise {

Gradients SumGradient(const GradientCall& call) {
  const bool subtract = call.op.kind == OpKind::kSubtract;
  Gradients result = {call.wants(0) ? call.dy : kNoOp,
                      call.wants(1) ? call.dy : kNoOp};
  if (subtract && call.wants(1)) {
    result[1] = call.builder.Unary(OpKind::kNegate, call.dy);
  }
  return result;
}

Gradients ProductGradient(const GradientCall& call) {
  Gradients result(2, kNoOp);
  for (size_t i = 0; i < 2; ++i) {
    if (!call.wants(i)) continue;
    result[i] =
        call.builder.Binary(OpKind::kMultiply, call.dy, call.operand(1 - i));
  }
  return result;
}

// d(x/y) = dy/y, -(dy/y) (x/y).
Gradients QuotientGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId scaled = b.Binary(OpKind::kDivide, call.dy, call.operand(1));
  Gradients result = {call.wants(0) ? scaled : kNoOp, kNoOp};
  if (call.wants(1)) {
    const OpId product = b.Binary(OpKind::kMultiply, scaled, call.op.id);
    result[1] = b.Unary(OpKind::kNegate, product);
  }
  return result;
}

// d(x^y) = y x^(y-1), x^y log x. Where x <= 0 the latter counts as 0, as the
// logarithm has no value there.
Gradients PowerGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId x = call.operand(0);
  const OpId y = call.operand(1);
  Gradients result(2, kNoOp);
  if (call.wants(0)) {
    const OpId lower =
        b.Binary(OpKind::kPower, x, b.BinaryScalar(OpKind::kAdd, y, -1));
    const OpId slope = b.Binary(OpKind::kMultiply, y, lower);
    result[0] = b.Binary(OpKind::kMultiply, call.dy, slope);
  }
  if (call.wants(1)) {
    const OpId zero = b.Constant(0, call.op.shape);
    const OpId one = b.Constant(1, call.op.shape);
    const OpId positive = b.Compare(Comparison::kGt, x, zero);
    const OpId log = b.Unary(OpKind::kLog, b.Select(positive, x, one));
    const OpId slope = b.Binary(OpKind::kMultiply, call.op.id, log);
    result[1] = b.Binary(OpKind::kMultiply, call.dy, slope);
  }
  return result;
}

// x - y trunc(x / y): flat steps of trunc count as constants.
Gradients RemainderGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  Gradients result = {call.wants(0) ? call.dy : kNoOp, kNoOp};
  if (call.wants(1)) {
    const OpId whole = b.Binary(OpKind::kSubtract, call.operand(0), call.op.id);
    const OpId times =
        b.Unary(OpKind::kRoundNearestEven,
                b.Binary(OpKind::kDivide, whole, call.operand(1)));
    result[1] =
        b.Unary(OpKind::kNegate, b.Binary(OpKind::kMultiply, call.dy, times));
  }
  return result;
}

// d atan2(y, x) = (x dy - y dx) / (x^2 + y^2).
Gradients AngleGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId y = call.operand(0);
  const OpId x = call.operand(1);
  const OpId square = b.Binary(OpKind::kAdd, b.Binary(OpKind::kMultiply, x, x),
                               b.Binary(OpKind::kMultiply, y, y));
  const OpId scaled = b.Binary(OpKind::kDivide, call.dy, square);
  Gradients result(2, kNoOp);
  if (call.wants(0)) result[0] = b.Binary(OpKind::kMultiply, scaled, x);
  if (call.wants(1)) {
    result[1] =
        b.Unary(OpKind::kNegate, b.Binary(OpKind::kMultiply, scaled, y));
  }
  return result;
}

// The operand that won takes all; at a tie the second does, so that a rectifier
// max(x, 0) is flat at 0. The first won where the result differs from the
// second: so a rectifier keeps its result for the backward pass, which the next
// op keeps anyway, and not its operand.
Gradients ExtremumGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const Comparison first_wins =
      call.op.kind == OpKind::kMaximum ? Comparison::kGt : Comparison::kLt;
  const OpId first = b.Compare(first_wins, call.op.id, call.operand(1));
  const OpId zero = b.Constant(0, call.op.shape);
  return {call.wants(0) ? b.Select(first, call.dy, zero) : kNoOp,
          call.wants(1) ? b.Select(first, zero, call.dy) : kNoOp};
}

Gradients SelectGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId pred = call.operand(0);
  const OpId zero = b.Constant(0, call.op.shape);
  return {kNoOp, call.wants(1) ? b.Select(pred, call.dy, zero) : kNoOp,
          call.wants(2) ? b.Select(pred, zero, call.dy) : kNoOp};
}

}  // namespace tilewise
