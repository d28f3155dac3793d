// Collectives: those that sum take the vector unit, the others only move.

#include <algorithm>

#include "sim/lowering/kernels/root_of_kernel.h"
#include "sim/lowering/lowering_traits.h"

namespace tilewise {
namespace {

// The vector unit adds what arrives to what is there.
OpWork SumWork(const OpContext& context, const Op& op) {
  OpWork work;
  work.vector.alu = context.registers(context.operand(op, 0));
  return work;
}

void SetCollective(const RootOfKernel& root, Kernel& kernel) {
  const auto& attrs = root.op.as<CollectiveAttrs>();
  const int64_t group = attrs.group_size;
  kernel.collective = root.op.kind;
  kernel.mesh_axis = attrs.axis;
  kernel.participants = group > 0 ? group : root.cores;
  kernel.collective_bytes = std::max(kernel.hbm_read, kernel.hbm_write);
}

}  // namespace

constexpr LoweringTraits lowering_traits::kAllReduce = {
    .same_order = LoweringTraits::SameOrder::kAll,
    .kernel = KernelKind::kCollective,
    .work = SumWork,
    .set_traffic = SetCollective};
constexpr LoweringTraits lowering_traits::kAllGather = {.kernel = KernelKind::kCollective,
                                                        .set_traffic = SetCollective};
constexpr LoweringTraits lowering_traits::kReduceScatter = {
    .kernel = KernelKind::kCollective, .work = SumWork, .set_traffic = SetCollective};
constexpr LoweringTraits lowering_traits::kAllToAll = {
    .same_order = LoweringTraits::SameOrder::kAll,
    .kernel = KernelKind::kCollective,
    .set_traffic = SetCollective};
constexpr LoweringTraits lowering_traits::kCollectivePermute = {
    .same_order = LoweringTraits::SameOrder::kAll,
    .kernel = KernelKind::kCollective,
    .set_traffic = SetCollective};

}  // namespace tilewise
