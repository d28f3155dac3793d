// GELU: x Phi(x), with the normal distribution, or near it with tanh.

#include <cmath>
#include <numbers>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

OpId Times(GraphBuilder& b, OpId x, OpId y) { return b.Binary(OpKind::kMultiply, x, y); }

// Phi(x) + x phi(x), with the normal distribution's Phi and density phi.
OpId ExactGeluSlope(GraphBuilder& b, OpId x) {
  const OpId scaled = b.BinaryScalar(OpKind::kMultiply, x, 1 / std::numbers::sqrt2);
  const OpId phi = b.BinaryScalar(
      OpKind::kMultiply, b.BinaryScalar(OpKind::kAdd, b.Unary(OpKind::kErf, scaled), 1), 0.5);
  const OpId exponent = b.BinaryScalar(OpKind::kMultiply, Times(b, x, x), -0.5);
  const OpId density = b.BinaryScalar(OpKind::kMultiply, b.Unary(OpKind::kExp, exponent),
                                      1 / std::sqrt(2 * std::numbers::pi));
  return b.Binary(OpKind::kAdd, phi, Times(b, x, density));
}

// y = x (1 + t) / 2, t = tanh(u), u = c (x + 0.044715 x^3):
// (1 + t) / 2 + x (1 - t^2) u' / 2.
OpId TanhGeluSlope(GraphBuilder& b, OpId x) {
  constexpr double kCubic = 0.044715;
  const double c = std::sqrt(2 / std::numbers::pi);
  const OpId square = Times(b, x, x);
  const OpId cubic = b.BinaryScalar(OpKind::kMultiply, square, kCubic);
  const OpId inner = Times(b, x, b.BinaryScalar(OpKind::kAdd, cubic, 1));
  const OpId t = b.Unary(OpKind::kTanh, b.BinaryScalar(OpKind::kMultiply, inner, c));
  const OpId half = b.BinaryScalar(OpKind::kMultiply, b.BinaryScalar(OpKind::kAdd, t, 1), 0.5);
  const OpId flat = b.BinaryScalar(OpKind::kAdd, b.Unary(OpKind::kNegate, Times(b, t, t)), 1);
  const OpId inner_slope = b.BinaryScalar(
      OpKind::kAdd, b.BinaryScalar(OpKind::kMultiply, square, 3 * kCubic * c / 2), c / 2);
  const OpId bend = Times(b, Times(b, x, flat), inner_slope);
  return b.Binary(OpKind::kAdd, half, bend);
}

Gradients GeluGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId x = call.operand(0);
  const OpId slope =
      call.op.as<GeluAttrs>().approximate ? TanhGeluSlope(b, x) : ExactGeluSlope(b, x);
  return {Times(b, call.dy, slope)};
}

constexpr auto kGeluFields = FieldsOf<GeluAttrs, &GeluAttrs::approximate>("approximate");

}  // namespace

constexpr OpTraits op_traits::kGelu = {.operands = 1,
                                       .attributes = kGeluFields,
                                       .shape = SameRealShape,
                                       .gradient = GeluGradient,
                                       .links = LinkFirst};

}  // namespace tilewise
