// Pooling on the vector unit: one combine per tap and register of the result
// (tpu-lowering 5). The gradient of max pooling first finds the winner of each
// window, comparing and keeping its index, then adds the gradient to it by a
// masked read-modify-write per tap: several times the forward work.

#include "sim/lowering/kernels/op_work.h"

namespace tilewise {
namespace {

constexpr double kFindWinner = 3;  // compare, keep value, keep index
constexpr double kScatter = 3;     // compare index, mask, add

double Taps(const Op& op) {
  double taps = 1;
  for (const WindowDim& dim : op.attrs.window) {
    taps *= static_cast<double>(dim.size);
  }
  return taps;
}

}  // namespace

OpWork LowerWindow(const OpContext& context, const Op& op) {
  OpWork work;
  const double taps = Taps(op);
  if (op.kind == OpKind::kReduceWindow) {
    const double registers = context.registers(op) * taps;
    work.vector.alu = registers;
    work.vector.loads = registers;
    return work;
  }
  const double registers = context.registers(context.operand(op, 1)) * taps;
  work.vector.alu = (kFindWinner + kScatter) * registers +
                    context.registers(op);  // clears the result
  work.vector.loads = 2 * registers;
  work.vector.stores = registers;
  return work;
}

}  // namespace tilewise
