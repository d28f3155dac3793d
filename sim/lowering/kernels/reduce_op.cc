// The reduce op.

#include "sim/lowering/kernels/op_work.h"
#include "sim/lowering/kernels/reduce.h"

namespace tilewise {

OpWork LowerReduce(const OpContext& context, const Op& op) {
  const Op& operand = context.operand(op, 0);
  return {.matrix = {},
          .vector = ReduceWork(operand.shape, context.layout(operand.id),
                               op.attrs.dims, context.chip)};
}

}  // namespace tilewise
