// Leaves: inputs and weights are in HBM before the step, the others are made
// where they are used.

#include "sim/lowering/lowering_traits.h"

namespace tilewise {
namespace {

bool IsAlwaysVirtual(const Program&, const Op&, const Chip&) { return true; }

}  // namespace

constexpr LoweringTraits lowering_traits::kParameter = {};
constexpr LoweringTraits lowering_traits::kVariable = {};
constexpr LoweringTraits lowering_traits::kConstant = {.is_made_where_used = true,
                                                       .is_virtual = IsAlwaysVirtual};
constexpr LoweringTraits lowering_traits::kIota = {.is_made_where_used = true,
                                                   .is_virtual = IsAlwaysVirtual};
constexpr LoweringTraits lowering_traits::kPartitionId = {.is_made_where_used = true,
                                                          .is_virtual = IsAlwaysVirtual};

}  // namespace tilewise
