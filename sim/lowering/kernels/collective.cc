// All-reduce: the vector unit adds what arrives to what is there.

#include "sim/lowering/kernels/op_work.h"

namespace tilewise {

OpWork LowerCollective(const OpContext& context, const Op& op) {
  OpWork work;
  work.vector.alu = context.registers(op);
  return work;
}

}  // namespace tilewise
