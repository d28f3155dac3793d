// Random numbers of the frameworks' stateful ops, which XLA takes from the
// core's own generator: one instruction for a register of bits, and shift, or
// and subtract to make uniforms of them, where the Cloud TPU guide calls
// uniform and Bernoulli numbers fast. Normals add the inverse error function:
// what is left of the 191 instructions of a threefry normal (tpu-lowering 5)
// without the 100 that are about threefry's rounds. The split and the 6 are
// assumed.

#include "sim/lowering/kernels/reduce.h"
#include "sim/lowering/lowering_traits.h"

namespace tilewise {
namespace {

constexpr double kBits = 1;
constexpr double kUniform = 6;
constexpr double kNormal = kUniform + 91;
constexpr double kGumbelAlu = 12;  // two logs of a uniform, and the add
constexpr double kGumbelLogs = 2;

template <const double& kPerRegister>
OpWork RandomWork(const OpContext& context, const Op& op) {
  OpWork work;
  work.vector.alu = context.registers(op) * kPerRegister;
  return work;
}

OpWork CategoricalWork(const OpContext& context, const Op& op) {
  const Op& logits = context.operand(op, 0);
  const double registers = context.registers(logits);
  OpWork work;
  work.vector = kKeepingIndex * ReduceWork(logits.shape, context.layout(logits.id),
                                           {logits.shape.rank() - 1}, context.chip);
  work.vector.alu += (kUniform + kGumbelAlu) * registers;
  work.vector.transcendental += kGumbelLogs * registers;
  return work;
}

}  // namespace

constexpr LoweringTraits lowering_traits::kRngBits = {
    .kernel = KernelKind::kRandom, .joins_loops = true, .work = RandomWork<kBits>};
constexpr LoweringTraits lowering_traits::kRngUniform = {
    .kernel = KernelKind::kRandom, .joins_loops = true, .work = RandomWork<kUniform>};
constexpr LoweringTraits lowering_traits::kRngNormal = {
    .kernel = KernelKind::kRandom, .joins_loops = true, .work = RandomWork<kNormal>};
constexpr LoweringTraits lowering_traits::kRngCategorical = {.kernel = KernelKind::kRandom,
                                                             .work = CategoricalWork};

}  // namespace tilewise
