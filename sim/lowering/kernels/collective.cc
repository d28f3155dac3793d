// Collectives: the vector unit adds what arrives to what is there where values
// are summed; the others only move.

#include "sim/lowering/kernels/op_work.h"

namespace tilewise {

OpWork LowerCollective(const OpContext& context, const Op& op) {
  OpWork work;
  const bool sums =
      op.kind == OpKind::kAllReduce || op.kind == OpKind::kReduceScatter;
  if (sums) work.vector.alu = context.registers(context.operand(op, 0));
  return work;
}

}  // namespace tilewise
