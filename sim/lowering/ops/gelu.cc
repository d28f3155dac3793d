// GELU as what it is made of.

#include <cmath>
#include <numbers>

#include "sim/lowering/decompose/composite_op.h"
#include "sim/lowering/lowering_traits.h"

namespace tilewise {
namespace {

// x (1 + erf(x / sqrt 2)) / 2, or with tanh in the place of erf.
OpId Gelu(const CompositeOp& parts) {
  GraphBuilder& b = parts.b;
  const OpId x = parts.operands[0];
  const auto times = [&](OpId y, double c) { return b.BinaryScalar(OpKind::kMultiply, y, c); };
  OpId curve = kNoOp;
  if (parts.op.as<GeluAttrs>().approximate) {
    const OpId cubic = times(b.Binary(OpKind::kMultiply, x, x), 0.044715);
    const OpId inner = b.Binary(OpKind::kMultiply, x, b.BinaryScalar(OpKind::kAdd, cubic, 1));
    curve = b.Unary(OpKind::kTanh, times(inner, std::sqrt(2 / std::numbers::pi)));
  } else {
    curve = b.Unary(OpKind::kErf, times(x, 1 / std::numbers::sqrt2));
  }
  const OpId half = times(b.BinaryScalar(OpKind::kAdd, curve, 1), 0.5);
  return b.Binary(OpKind::kMultiply, x, half);
}

}  // namespace

constexpr LoweringTraits lowering_traits::kGelu = {.decompose = Gelu};

}  // namespace tilewise
