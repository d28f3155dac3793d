// Ops on values whose elements are all one constant. Results that are not
// finite are left to the device.

#include <cmath>

#include "graph/op_traits.h"
#include "sim/lowering/simplify/simplifier.h"

namespace tilewise {

OpId FoldConstants(Simplifier& s, const Op& op) {
  const SplatFunction function = TraitsOf(op.kind).splat;
  if (op.operands.empty() || function == nullptr) return kNoOp;
  std::vector<double> values;
  for (const OpId operand : op.operands) {
    const std::optional<double> value = s.Splat(operand);
    if (!value) return kNoOp;
    values.push_back(*value);
  }
  const std::optional<double> folded = function({op, s.shape(op.operands[0]), values});
  if (!folded || !std::isfinite(*folded)) return kNoOp;
  return s.Constant(op, *folded, op.shape);
}

}  // namespace tilewise
