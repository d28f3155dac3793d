// GELU: x Phi(x), with the normal distribution, or near it with tanh.

#include <cmath>
#include <numbers>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

OpId Times(GraphBuilder& b, OpId x, OpId y) { return b.Binary(OpKind::kMultiply, x, y); }
OpId ScaledBy(GraphBuilder& b, OpId x, double c) { return b.BinaryScalar(OpKind::kMultiply, x, c); }
OpId Plus(GraphBuilder& b, OpId x, OpId y) { return b.Binary(OpKind::kAdd, x, y); }

// 2 / sqrt(pi) exp(-u^2), u = x / sqrt 2.
OpId ErfBell(GraphBuilder& b, OpId u) {
  const OpId bell = b.Unary(OpKind::kExp, b.Unary(OpKind::kNegate, Times(b, u, u)));
  return ScaledBy(b, bell, 2 * std::numbers::inv_sqrtpi);
}

// Frameworks write GELU out, so that its gradient is that of the formula, term
// by term, and not the shorter Phi(x) + x phi(x).
Gradients GeluGradient(const GradientCall& call) {
  constexpr double kCubic = 0.044715;
  const double root = std::sqrt(2 / std::numbers::pi);
  GraphBuilder& b = call.builder;
  const OpId x = call.operand(0);
  const bool exact = !call.op.as<GeluAttrs>().approximate;
  OpId curve = kNoOp, slope = kNoOp, square = kNoOp;
  if (exact) {
    const OpId u = ScaledBy(b, x, 1 / std::numbers::sqrt2);
    curve = b.Unary(OpKind::kErf, u);
    slope = ErfBell(b, u);
  } else {
    square = Times(b, x, x);
    const OpId cubic = ScaledBy(b, Times(b, square, x), kCubic);
    curve = b.Unary(OpKind::kTanh, ScaledBy(b, Plus(b, x, cubic), root));
    const OpId negated = b.Unary(OpKind::kNegate, Times(b, curve, curve));
    slope = b.BinaryScalar(OpKind::kAdd, negated, 1);
  }
  const OpId half = ScaledBy(b, x, 0.5);
  const OpId of_half = ScaledBy(b, Times(b, call.dy, b.BinaryScalar(OpKind::kAdd, curve, 1)), 0.5);
  const OpId of_u = Times(b, Times(b, call.dy, half), slope);
  if (exact) return {Plus(b, of_half, ScaledBy(b, of_u, 1 / std::numbers::sqrt2))};
  const OpId of_sum = ScaledBy(b, of_u, root);
  const OpId of_cubic = Times(b, ScaledBy(b, of_sum, kCubic), ScaledBy(b, square, 3));
  return {Plus(b, Plus(b, of_half, of_sum), of_cubic)};
}

constexpr auto kGeluFields = FieldsOf<GeluAttrs, &GeluAttrs::approximate>("approximate");

}  // namespace

constexpr OpTraits op_traits::kGelu = {.operands = 1,
                                       .attributes = kGeluFields,
                                       .shape = SameRealShape,
                                       .gradient = GeluGradient,
                                       .links = LinkFirst};

}  // namespace tilewise
