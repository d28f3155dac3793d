// One time step of a recurrent layer: the matmul of the hidden state with the
// recurrent weights, then the gates. Its gradient recomputes the gates, and
// multiplies by the weights transposed as well.

#include <algorithm>

#include "base/math.h"
#include "sim/lowering/kernels/matmul.h"
#include "sim/lowering/kernels/root_of_kernel.h"
#include "sim/lowering/lowering_traits.h"

namespace tilewise {
namespace {

// Instructions per register of [batch, units] for one step.
struct Gates {
  double alu = 0;
  double transcendental = 0;
};

// A logistic takes 5 and 2, a tanh 2 and 1, as elementwise ops do; a gate adds
// its two inputs.
Gates GatesOf(CellKind cell) {
  switch (cell) {
    case CellKind::kSimpleRnn:
      return {1 + 2, 1};
    case CellKind::kGru:
      return {3 + 2 * 5 + 2 + 5, 2 * 2 + 1};
    case CellKind::kLstm:
      return {4 + 3 * 5 + 2 * 2 + 4, 3 * 2 + 2};
  }
  return {};
}

OpWork RecurrentWork(const OpContext& context, const Op& op) {
  const bool is_gradient = op.kind == OpKind::kRecurrentGrad;
  const Op& u = context.operand(op, 1);
  const int64_t batch = op.shape.size(0);
  const int64_t units = u.shape.size(0);
  const int64_t gates = u.shape.size(1);
  OpWork work;
  if (batch == 0) return work;
  work.matrix = MatrixProduct(1, batch, units, gates, 1, context.chip);
  const Shape state = Shape::Of(op.shape.dtype, {batch, units});
  const double registers = VectorRegisters(state, DefaultLayout(state, context.chip), context.chip);
  const Gates cost = GatesOf(op.as<RecurrentAttrs>().cell);
  work.vector.alu = cost.alu * registers;
  work.vector.transcendental = cost.transcendental * registers;
  if (!is_gradient) return work;
  // Forward gates again, their derivatives (three instructions each), and the
  // second matmul, of equal size.
  work.matrix.weight_tiles *= 2;
  work.matrix.useful_flops *= 2;
  work.matrix.padded_flops *= 2;
  work.vector = 2 * work.vector;
  work.vector.alu += 3 * registers * static_cast<double>(gates) / static_cast<double>(units);
  return work;
}

// Steps are of [batch, units], time major.
bool IsTimeMajor(const DimOrder& order) {
  return order.size() != 3 || order == TiledOrder(3, 2, 0);
}

bool AcceptsSteps(const Op&, size_t, const DimOrder& order) { return IsTimeMajor(order); }

bool AcceptsResultSteps(const Graph&, const Op&, const DimOrder& order) {
  return IsTimeMajor(order);
}

// Fields of a device loop are those of one iteration. The recurrent weights
// stay in VMEM over the iterations when half of the window budget holds them.
void SplitIntoIterations(const RootOfKernel& root, Kernel& kernel) {
  const int64_t trips = std::max<int64_t>(1, root.op.shape.size(1));
  const Bytes weights = root.context.padded(root.operand(1));
  const bool stays = 2 * weights <= root.context.chip.vmem_window_budget;
  const Bytes streamed = std::max(Bytes{0}, kernel.hbm_read - weights);
  kernel.repeat = trips;
  kernel.hbm_read = {CeilDiv(streamed.value, trips) +
                     (stays ? CeilDiv(weights.value, trips) : weights.value)};
  kernel.hbm_write = {CeilDiv(kernel.hbm_write.value, trips)};
  for (const OpId id : kernel.inputs) {
    const bool is_whole = id == root.op.operands[1] && !stays;
    kernel.traffic.push_back({is_whole ? 1 : 1 / static_cast<double>(trips)});
  }
  kernel.vector.loads /= static_cast<double>(trips);
  kernel.vector.stores /= static_cast<double>(trips);
}

}  // namespace

constexpr LoweringTraits lowering_traits::kRecurrent = {.accepts_operand = AcceptsSteps,
                                                        .accepts_result = AcceptsResultSteps,
                                                        .kernel = KernelKind::kRecurrent,
                                                        .work = RecurrentWork,
                                                        .set_traffic = SplitIntoIterations};
constexpr LoweringTraits lowering_traits::kRecurrentGrad = {.accepts_operand = AcceptsSteps,
                                                            .accepts_result = AcceptsResultSteps,
                                                            .kernel = KernelKind::kRecurrent,
                                                            .work = RecurrentWork,
                                                            .set_traffic = SplitIntoIterations};

}  // namespace tilewise
