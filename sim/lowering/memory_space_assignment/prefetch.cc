// Sizes are compared without padding.

#include "sim/lowering/memory_space_assignment/prefetch.h"

namespace tilewise {

OpId PrefetchedArgument(const Program& program, const Chip& chip) {
  if (chip.cmem <= Bytes{} || program.kernels.size() != 1) return kNoOp;
  const Kernel& kernel = program.kernels.front();
  if (kernel.kind != KernelKind::kMatrix) return kNoOp;
  const OpId first_operand = program.graph.op(kernel.root).operands[0];
  OpId largest = kNoOp;
  Bytes most;
  for (const OpId id : kernel.inputs) {
    const Op& op = program.graph.op(id);
    const Bytes padded = PaddedBytes(op.shape, program.layouts[id], chip);
    const Bytes bytes = op.shape.unpadded_bytes();
    if (!IsArgument(op) || padded > chip.cmem || bytes < most) continue;
    if (bytes == most && id != first_operand) continue;
    largest = id;
    most = bytes;
  }
  return largest;
}

}  // namespace tilewise
