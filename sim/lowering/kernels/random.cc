// Random numbers: threefry is a long chain of integer instructions, 191 per
// register of normals, erf-inv included (tpu-lowering 5); uniforms take about
// half of it.

#include "sim/lowering/kernels/op_work.h"
#include "sim/lowering/kernels/reduce.h"

namespace tilewise {
namespace {

constexpr double kUniform = 100;
constexpr double kNormal = 191;
constexpr double kGumbelAlu = 12;  // two logs of a uniform, and the add
constexpr double kGumbelLogs = 2;
constexpr double kArgMax = 3;

}  // namespace

OpWork LowerRandom(const OpContext& context, const Op& op) {
  OpWork work;
  if (op.kind != OpKind::kRngCategorical) {
    work.vector.alu = context.registers(op) *
                      (op.kind == OpKind::kRngNormal ? kNormal : kUniform);
    return work;
  }
  const Op& logits = context.operand(op, 0);
  const double registers = context.registers(logits);
  work.vector = kArgMax * ReduceWork(logits.shape, context.layout(logits.id),
                                     {logits.shape.rank() - 1}, context.chip);
  work.vector.alu += (kUniform + kGumbelAlu) * registers;
  work.vector.transcendental += kGumbelLogs * registers;
  return work;
}

}  // namespace tilewise
