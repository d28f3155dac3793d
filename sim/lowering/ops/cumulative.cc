// Running reductions combine every register with shifted copies of itself in
// log2 steps, within its lanes or sublanes, then with what came before it.

#include <cmath>

#include "graph/ops/dims.h"
#include "sim/lowering/kernels/root_of_kernel.h"
#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/partition/split_dims.h"

namespace tilewise {
namespace {

constexpr double kShiftStep = 2;  // mask what was shifted in, combine
constexpr double kCarry = 1;

OpWork CumulativeWork(const OpContext& context, const Op& op) {
  OpWork work;
  const double registers = context.registers(op);
  const std::vector<int64_t>& order = context.layout(op.id).minor_to_major;
  const int64_t dim = op.as<CumulativeAttrs>().dims[0];
  work.vector.alu = kCarry * registers;
  if (dim == order[0]) {
    const double steps = std::log2(static_cast<double>(context.chip.lanes));
    work.vector.alu += kShiftStep * steps * registers;
    work.vector.cross_lane = (steps + 1) * registers;  // and spreads the carry
  } else if (dim == order[1]) {
    const double steps = std::log2(static_cast<double>(context.chip.sublanes));
    work.vector.alu += (kShiftStep + 1) * steps * registers + registers;
  }
  return work;
}

std::optional<int64_t> CumulativeOperandDim(const Graph&, const Op& op, size_t, int64_t dim) {
  return DimUnless(HasDim(op.as<CumulativeAttrs>().dims, dim), dim);
}

// Blocks of lanes x lanes are scanned; when there are several, their totals are
// scanned in turn and added in a second pass (tpu-lowering 5).
void SetScanTraffic(const RootOfKernel& root, Kernel& kernel) {
  const int64_t lanes = root.context.chip.lanes;
  if (root.op.shape.size(root.op.as<CumulativeAttrs>().dims[0]) <= lanes * lanes) return;
  kernel.hbm_read = 2 * kernel.hbm_read;
  kernel.hbm_write = 2 * kernel.hbm_write;
}

}  // namespace

constexpr LoweringTraits lowering_traits::kCumulative = {
    .operand_dim = CumulativeOperandDim,
    .same_order = LoweringTraits::SameOrder::kAll,
    .kernel = KernelKind::kReduce,
    .work = CumulativeWork,
    .set_traffic = SetScanTraffic};

}  // namespace tilewise
