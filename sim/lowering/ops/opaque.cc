// Ops nothing is known about: they move their operands and result.

#include "sim/lowering/lowering_traits.h"

namespace tilewise {
namespace {

bool AcceptsLogical(const Op&, size_t, const DimOrder& order) {
  return order == LogicalOrder(static_cast<int64_t>(order.size()));
}

bool AcceptsLogicalResult(const Graph&, const Op&, const DimOrder& order) {
  return order == LogicalOrder(static_cast<int64_t>(order.size()));
}

}  // namespace

constexpr LoweringTraits lowering_traits::kOpaque = {.accepts_operand = AcceptsLogical,
                                                     .accepts_result = AcceptsLogicalResult,
                                                     .kernel = KernelKind::kOpaque};

}  // namespace tilewise
