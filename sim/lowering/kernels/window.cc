// Pooling on the vector unit: one combine per tap and register of the result
// (tpu-lowering 5). The gradient of max pooling first finds the winner of each
// window, comparing and keeping its index, then adds the gradient to it by a
// masked read-modify-write per tap: several times the forward work. Running
// reductions combine every register with shifted copies of itself in log2
// steps, within its lanes or sublanes, then with what came before it.

#include <cmath>

#include "sim/lowering/kernels/op_work.h"

namespace tilewise {
namespace {

constexpr double kFindWinner = 3;  // compare, keep value, keep index
constexpr double kScatter = 3;     // compare index, mask, add

double Taps(const Op& op) {
  double taps = 1;
  for (const WindowDim& dim : op.attrs->window) {
    taps *= static_cast<double>(dim.size);
  }
  return taps;
}

constexpr double kShiftStep = 2;  // mask what was shifted in, combine
constexpr double kCarry = 1;

OpWork LowerCumulative(const OpContext& context, const Op& op) {
  OpWork work;
  const double registers = context.registers(op);
  const std::vector<int64_t>& order = context.layout(op.id).minor_to_major;
  const int64_t dim = op.attrs->dims[0];
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

}  // namespace

OpWork LowerWindow(const OpContext& context, const Op& op) {
  if (op.kind == OpKind::kCumulative) return LowerCumulative(context, op);
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
