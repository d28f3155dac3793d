// Pooling on the vector unit: one combine per tap and register of the result
// (tpu-lowering 5). The gradient of max pooling first finds the winner of each
// window, comparing and keeping its index, then adds the gradient to it by a
// masked read-modify-write per tap: several times the forward work.

#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/ops/windowed.h"
#include "sim/lowering/partition/split_dims.h"
#include "sim/lowering/simplify/window_forms.h"

namespace tilewise {
namespace {

constexpr double kFindWinner = 3;  // compare, keep value, keep index
constexpr double kScatter = 3;     // compare index, mask, add

double Taps(const Op& op) {
  double taps = 1;
  for (const WindowDim& dim : op.as<PoolAttrs>().window) {
    taps *= static_cast<double>(dim.size);
  }
  return taps;
}

OpWork PoolWork(const OpContext& context, const Op& op) {
  const double registers = context.registers(op) * Taps(op);
  OpWork work;
  work.vector.alu = registers;
  work.vector.loads = registers;
  return work;
}

OpWork ScatterWork(const OpContext& context, const Op& op) {
  const double registers = context.registers(context.operand(op, 1)) * Taps(op);
  OpWork work;
  work.vector.alu =
      (kFindWinner + kScatter) * registers + context.registers(op);  // clears the result
  work.vector.loads = 2 * registers;
  work.vector.stores = registers;
  return work;
}

std::optional<int64_t> PooledOperandDim(const Graph&, const Op& op, size_t, int64_t dim) {
  const int64_t feature = op.as<PoolAttrs>().channels_first ? 1 : op.shape.rank() - 1;
  return DimUnless(dim != 0 && dim != feature, dim);
}

bool AcceptsWindowed(const Op& op, size_t, const DimOrder& order) {
  return TilesBatchAndFeature(op, order);
}

OpId SimplifyPool(Simplifier& s, const Op& op) { return SimplifyWindowed<PoolAttrs>(s, op, -1); }

}  // namespace

constexpr LoweringTraits lowering_traits::kReduceWindow = {
    .simplify = SimplifyPool,
    .operand_dim = PooledOperandDim,
    .same_order = LoweringTraits::SameOrder::kAll,
    .accepts_operand = AcceptsWindowed,
    .accepts_result = AcceptsWindowedResult,
    .kernel = KernelKind::kReduce,
    .work = PoolWork};
constexpr LoweringTraits lowering_traits::kSelectAndScatter = {
    .simplify = SimplifyPool,
    .operand_dim = PooledOperandDim,
    .same_order = LoweringTraits::SameOrder::kAll,
    .accepts_operand = AcceptsWindowed,
    .accepts_result = AcceptsWindowedResult,
    .kernel = KernelKind::kReduce,
    .work = ScatterWork};

}  // namespace tilewise
