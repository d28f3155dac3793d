// Dynamic-slice, and dynamic-update-slice, which works in place where it may.

#include "graph/ops/dims.h"
#include "sim/lowering/kernels/root_of_kernel.h"
#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/ops/data_movement.h"
#include "sim/lowering/partition/split_dims.h"

namespace tilewise {
namespace {

std::optional<int64_t> TakenOperandDim(const Graph&, const Op& op, size_t operand, int64_t dim) {
  if (operand >= 1) return kWhole;
  return DimUnless(HasDim(op.as<DimsAttrs>().dims, dim), dim);
}

std::optional<int64_t> UpdateOperandDim(const Graph&, const Op& op, size_t operand, int64_t dim) {
  if (operand >= 2) return kWhole;
  return DimUnless(HasDim(op.as<DimsAttrs>().dims, dim), dim);
}

// The offset is not known: along a tiled dim it is taken as unaligned.
bool DynamicShifts(const OpContext& context, const Op& op) {
  return op.shape.rank() != 0 && ShiftsAlong(context.layout(op.id), op.as<DimsAttrs>().dims);
}

OpWork TakenWork(const OpContext& context, const Op& op) {
  return ShiftWork(context, op, DynamicShifts(context, op));
}

OpWork UpdateWork(const OpContext& context, const Op& op) {
  const bool shifts = DynamicShifts(context, op);
  OpWork work = ShiftWork(context, op, false);
  if (shifts) {
    work.vector.cross_lane = context.registers(context.operand(op, 1));
  }
  return work;
}

// The kernel moves only the new part when the old value may be overwritten, as
// that of a loop always may.
void SetUpdateTraffic(const RootOfKernel& root, Kernel& kernel) {
  if (!OverwritesOperand(root, kernel)) return;
  const OpContext& context = root.context;
  const Bytes whole = context.padded(root.op);
  const Bytes part = context.padded(root.operand(1));
  kernel.hbm_read -= whole;
  kernel.hbm_write = kernel.hbm_write - whole + part;
  const double unmoved = context.registers(root.op) - context.registers(root.operand(1));
  kernel.vector.loads -= context.registers(root.op);
  kernel.vector.stores -= unmoved;
  kernel.vector.alu -= unmoved;
}

}  // namespace

constexpr LoweringTraits lowering_traits::kDynamicSlice = {
    .operand_dim = TakenOperandDim,
    .same_order = LoweringTraits::SameOrder::kAll,
    .kernel = KernelKind::kCopy,
    .joins_loops = true,
    .work = TakenWork};
constexpr LoweringTraits lowering_traits::kDynamicUpdateSlice = {
    .operand_dim = UpdateOperandDim,
    .same_order = LoweringTraits::SameOrder::kAll,
    .kernel = KernelKind::kCopy,
    .work = UpdateWork,
    .set_traffic = SetUpdateTraffic};

}  // namespace tilewise
