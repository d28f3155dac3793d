// Counts of ALU operations per f32 register come with the chip.

#include "sim/lowering/kernels/half_float.h"

#include <algorithm>

namespace tilewise {
namespace {

bool Calculates(const OpContext& context, OpId id) {
  switch (ClassOf(context.program.graph.op(id).kind)) {
    case OpClass::kLeaf:
    case OpClass::kData:
    case OpClass::kIndex:
    case OpClass::kTransfer:
    case OpClass::kCollective:
    case OpClass::kOpaque:
      return false;
    default:
      return true;
  }
}

double Registers(const OpContext& context, const std::vector<OpId>& values) {
  double registers = 0;
  for (const OpId id : values) {
    const Op& op = context.program.graph.op(id);
    if (op.shape.dtype == DType::kF16) registers += context.registers(op);
  }
  return registers;
}

}  // namespace

VectorWork HalfFloatWork(const OpContext& context, const Kernel& kernel) {
  VectorWork work;
  const bool calculates = std::any_of(kernel.ops.begin(), kernel.ops.end(),
                                      [&](OpId id) { return Calculates(context, id); });
  if (!calculates || kernel.matrix.weight_tiles > 0) return work;
  work.alu = Registers(context, kernel.inputs) * context.chip.f16_unpack_ops +
             Registers(context, kernel.outputs) * context.chip.f16_pack_ops;
  return work;
}

}  // namespace tilewise
