// Random numbers of the frameworks' stateful ops, which XLA takes from the
// core's own generator: one instruction for a register of bits, and shift, or
// and subtract to make uniforms of them, where the Cloud TPU guide calls
// uniform and Bernoulli numbers fast. Normals add the inverse error function:
// what is left of the 191 instructions of a threefry normal (tpu-lowering 5)
// without the 100 that are about threefry's rounds. The split and the 6 are
// assumed.

#include "sim/lowering/kernels/op_work.h"
#include "sim/lowering/kernels/reduce.h"

namespace tilewise {
namespace {

constexpr double kBits = 1;
constexpr double kUniform = 6;
constexpr double kNormal = kUniform + 91;
constexpr double kGumbelAlu = 12;  // two logs of a uniform, and the add
constexpr double kGumbelLogs = 2;

double PerRegister(OpKind kind) {
  if (kind == OpKind::kRngBits) return kBits;
  return kind == OpKind::kRngNormal ? kNormal : kUniform;
}

}  // namespace

OpWork LowerRandom(const OpContext& context, const Op& op) {
  OpWork work;
  if (op.kind != OpKind::kRngCategorical) {
    work.vector.alu = context.registers(op) * PerRegister(op.kind);
    return work;
  }
  const Op& logits = context.operand(op, 0);
  const double registers = context.registers(logits);
  work.vector =
      kKeepingIndex * ReduceWork(logits.shape, context.layout(logits.id),
                                 {logits.shape.rank() - 1}, context.chip);
  work.vector.alu += (kUniform + kGumbelAlu) * registers;
  work.vector.transcendental += kGumbelLogs * registers;
  return work;
}

}  // namespace tilewise
