// Pad.

#include <algorithm>

#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/ops/data_movement.h"
#include "sim/lowering/partition/split_dims.h"

namespace tilewise {
namespace {

std::optional<int64_t> PadOperandDim(const Graph&, const Op& op, size_t operand, int64_t dim) {
  const auto& attrs = op.as<PadAttrs>();
  if (operand != 0) return kWhole;
  const size_t i = dim;
  const bool inside = i < attrs.interior.size() && attrs.interior[i] != 0;
  return DimUnless(attrs.low[i] != 0 || attrs.high[i] != 0 || inside, dim);
}

bool PadShifts(const Op& op, const Layout& layout) {
  const auto& attrs = op.as<PadAttrs>();
  for (int64_t dim = 0; dim < op.shape.rank(); ++dim) {
    const size_t i = dim;
    const bool spreads = i < attrs.interior.size() && attrs.interior[i] != 0;
    if (spreads && !IsAligned(layout, dim, 1)) return true;
    if (!IsAligned(layout, dim, attrs.low[i])) return true;
  }
  return false;
}

OpWork PadWork(const OpContext& context, const Op& op) {
  return ShiftWork(context, op, PadShifts(op, context.layout(op.id)));
}

bool AllAre(const std::vector<int64_t>& values, int64_t value) {
  return std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == value; });
}

OpId SimplifyPad(Simplifier&, const Op& op) {
  const auto& attrs = op.as<PadAttrs>();
  const bool nothing = AllAre(attrs.low, 0) && AllAre(attrs.high, 0) && AllAre(attrs.interior, 0);
  return nothing ? op.operands[0] : kNoOp;
}

}  // namespace

constexpr LoweringTraits lowering_traits::kPad = {.simplify = SimplifyPad,
                                                  .operand_dim = PadOperandDim,
                                                  .same_order = LoweringTraits::SameOrder::kAll,
                                                  .kernel = KernelKind::kCopy,
                                                  .joins_loops = true,
                                                  .work = PadWork};

}  // namespace tilewise
