// Even split of a kernel's bytes. The rule for small kernels is read off the
// sizes at which published v4 activations get faster; that for large ones, the
// budget, is what is left.

#include "sim/lowering/passes/even_tiles.h"

#include <algorithm>

#include "base/math.h"
#include "sim/lowering/kernels/op_work.h"

namespace tilewise {
namespace {

// 1 / (1 + exp(-x)) is how the compiler sees a logistic.
constexpr double kLogisticOps = 4;

// In instructions on one register, as the compiler counts: conversions and
// what only moves or repeats values are free.
double BelievedWork(const OpContext& context, const Op& op) {
  switch (ClassOf(op.kind)) {
    case OpClass::kElementwise:
      if (op.kind == OpKind::kConvert) return 0;
      return context.registers(op) *
             (op.kind == OpKind::kLogistic ? kLogisticOps : 1);
    case OpClass::kLeaf:
    case OpClass::kData:
      return 0;
    default:
      return LowerOp(context, op).vector.alu;
  }
}

// A constant beside the op makes a fusion of it.
bool IsSingleInstruction(const Graph& graph, const Kernel& kernel) {
  return kernel.ops.size() == 1 &&
         graph.op(kernel.ops[0]).kind != OpKind::kLogistic;
}

}  // namespace

void SetSteps(Kernel& kernel, int64_t steps, Bytes window, const Chip& chip) {
  Windows& windows = kernel.windows;
  windows.steps = steps;
  windows.vmem = window;
  const bool has_room = 2 * window <= chip.vmem_window_budget;
  windows.buffers = steps > 1 && has_room ? 2 : 1;
  windows.read_per_step = {CeilDiv(kernel.hbm_read.value, steps)};
  windows.write_per_step = {CeilDiv(kernel.hbm_write.value, steps)};
}

int64_t WantedSteps(const Program& program, const Kernel& kernel,
                    const Chip& chip) {
  if (IsSingleInstruction(program.graph, kernel)) return 1;
  constexpr int64_t kMost = 4096;
  const OpContext context{program, chip};
  double work = 0;
  for (const OpId id : kernel.ops) {
    work += BelievedWork(context, program.graph.op(id));
  }
  for (const OpId id : kernel.outputs) {
    work += context.registers(program.graph.op(id));
  }
  const double cycles =
      work / chip.vector_alu_slots /
      static_cast<double>(std::max<int64_t>(1, kernel.repeat));
  int64_t steps = 1;
  while (steps < kMost &&
         cycles / static_cast<double>(2 * steps) >
             static_cast<double>(steps) * chip.window_split_cycles) {
    steps *= 2;
  }
  return steps;
}

void SplitEvenly(Kernel& kernel, const Chip& chip, int64_t steps) {
  const int64_t total = (kernel.hbm_read + kernel.hbm_write).value;
  const int64_t budget =
      std::max<int64_t>(1, chip.vmem_window_budget.value / 2);
  steps = std::max({int64_t{1}, CeilDiv(total, budget), steps});
  SetSteps(kernel, steps, {CeilDiv(total, steps)}, chip);
}

}  // namespace tilewise
