// GELU as what it is made of.

#include <cmath>
#include <numbers>

#include "sim/lowering/decompose/composite_op.h"
#include "sim/lowering/lowering_traits.h"

namespace tilewise {
namespace {

// x / 2 (1 + erf(x / sqrt 2)), or with tanh(sqrt(2 / pi) (x + 0.044715 x^3)) in
// the place of erf, as tf.nn.gelu and jax.nn.gelu write it.
OpId Gelu(const CompositeOp& parts) {
  GraphBuilder& b = parts.b;
  const OpId x = parts.operands[0];
  const auto times = [&](OpId y, double c) { return b.BinaryScalar(OpKind::kMultiply, y, c); };
  OpId curve = kNoOp;
  if (parts.op.as<GeluAttrs>().approximate) {
    const OpId cube = b.Binary(OpKind::kMultiply, b.Binary(OpKind::kMultiply, x, x), x);
    const OpId inner = b.Binary(OpKind::kAdd, x, times(cube, 0.044715));
    curve = b.Unary(OpKind::kTanh, times(inner, std::sqrt(2 / std::numbers::pi)));
  } else {
    curve = b.Unary(OpKind::kErf, times(x, 1 / std::numbers::sqrt2));
  }
  return b.Binary(OpKind::kMultiply, times(x, 0.5), b.BinaryScalar(OpKind::kAdd, curve, 1));
}

}  // namespace

constexpr LoweringTraits lowering_traits::kGelu = {.decompose = Gelu};

}  // namespace tilewise
