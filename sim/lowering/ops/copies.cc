// Barriers, copies in another layout, and copies to and from the memory of the
// host.

#include "sim/lowering/kernels/root_of_kernel.h"
#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/ops/data_movement.h"

namespace tilewise {
namespace {

std::optional<int64_t> SameDim(const Graph&, const Op&, size_t, int64_t dim) { return dim; }

OpWork CopyWork(const OpContext& context, const Op& op) {
  const bool shifts = op.shape.rank() != 0 && context.layout(op.operands[0]).minor_to_major[0] !=
                                                  context.layout(op.id).minor_to_major[0];
  return RearrangeWork(context, op, shifts);
}

// What a loop carries is in memory, even if it starts as zeros or positions.
bool IsMadeForLoop(const Graph& graph, const Op& barrier) {
  const Op* held = &graph.operand(barrier, 0);
  if (held->loop == barrier.loop || held->shape.rank() == 0) return false;
  while (held->kind == OpKind::kReshape || held->kind == OpKind::kTranspose) {
    held = &graph.operand(*held, 0);
  }
  return held->kind == OpKind::kBroadcast || held->kind == OpKind::kConstant ||
         held->kind == OpKind::kIota;
}

bool IsFence(const Program& program, const Op& op, const Chip&) {
  return program.layouts[op.operands[0]] == program.layouts[op.id] &&
         !IsMadeForLoop(program.graph, op);
}

// One end of the copy is not in HBM.
void SetTrafficToHost(const RootOfKernel&, Kernel& kernel) { kernel.hbm_write = {}; }

void SetTrafficFromHost(const RootOfKernel&, Kernel& kernel) { kernel.hbm_read = {}; }

}  // namespace

constexpr LoweringTraits lowering_traits::kBarrier = {
    .same_order = LoweringTraits::SameOrder::kFirst,
    .kernel = KernelKind::kCopy,
    .is_virtual = IsFence};
constexpr LoweringTraits lowering_traits::kCopy = {
    .operand_dim = SameDim, .kernel = KernelKind::kCopy, .work = CopyWork};
constexpr LoweringTraits lowering_traits::kCopyToHost = {
    .same_order = LoweringTraits::SameOrder::kAll,
    .kernel = KernelKind::kHostCopy,
    .set_traffic = SetTrafficToHost};
constexpr LoweringTraits lowering_traits::kCopyFromHost = {
    .same_order = LoweringTraits::SameOrder::kFirst,
    .kernel = KernelKind::kHostCopy,
    .set_traffic = SetTrafficFromHost};

}  // namespace tilewise
