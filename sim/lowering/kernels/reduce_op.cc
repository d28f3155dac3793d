// The reduce op, and the one that finds where the largest or smallest is.

#include "sim/lowering/kernels/op_work.h"
#include "sim/lowering/kernels/reduce.h"

namespace tilewise {

OpWork LowerReduce(const OpContext& context, const Op& op) {
  const Op& operand = context.operand(op, 0);
  const VectorWork reduce = ReduceWork(
      operand.shape, context.layout(operand.id), op.attrs->dims, context.chip);
  const double times = op.kind == OpKind::kArgReduce ? kKeepingIndex : 1;
  return {.matrix = {}, .vector = times * reduce};
}

}  // namespace tilewise
