// Gather and scatter-add: one DMA per row, issued one after the other by the
// scalar unit; scatter reads, adds and writes each row (tpu-lowering 5).

#include "sim/lowering/kernels/op_work.h"

namespace tilewise {
namespace {

// Instruction slots lost per row to address arithmetic and DMA issue; ours.
constexpr double kSlotsPerRow = 16;

}  // namespace

OpWork LowerIndexed(const OpContext& context, const Op& op) {
  OpWork work;
  const bool is_gather = op.kind == OpKind::kGather;
  const Op& indices = context.operand(op, is_gather ? 1 : 0);
  const double rows = static_cast<double>(indices.shape.elements());
  work.vector.alu = kSlotsPerRow * rows;
  if (!is_gather) {
    work.vector.alu +=
        kSlotsPerRow * rows + context.registers(context.operand(op, 1));
  }
  return work;
}

}  // namespace tilewise
