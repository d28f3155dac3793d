// Splits a kernel's bytes evenly. The rule for small kernels is read off the
// sizes at which published v4 activations get faster. No windows of larger ones
// are published: they get those that take the least time, so that more VMEM
// does no harm.

#include "sim/lowering/tile_selection/even_tiles.h"

#include <algorithm>

#include "base/math.h"
#include "sim/lowering/kernels/op_work.h"
#include "sim/lowering/ops/attention.h"
#include "sim/lowering/ops/data_movement.h"
#include "sim/lowering/tile_selection/window_time.h"

namespace tilewise {
namespace {

// 1 / (1 + exp(-x)) is how the compiler sees a logistic.
constexpr double kLogisticOps = 4;

// Returns the work in instructions on one register, as the compiler counts:
// conversions and what only moves or repeats values are free.
double CostModelWork(const OpContext& context, const Op& op) {
  switch (ClassOf(op.kind)) {
    case OpClass::kElementwise:
      if (op.kind == OpKind::kConvert) return 0;
      return context.registers(op) * (op.kind == OpKind::kLogistic ? kLogisticOps : 1);
    case OpClass::kLeaf:
    case OpClass::kData:
      return 0;
    default:
      return LowerOp(context, op).vector.alu;
  }
}

// A constant next to the op makes a fusion of it, a bitcast does not.
bool IsSingleInstruction(const Program& program, const Kernel& kernel, const Chip& chip) {
  const auto is_bitcast = [&](OpId id) {
    const Op& op = program.graph.op(id);
    const bool moves = op.kind == OpKind::kReshape || op.kind == OpKind::kTranspose;
    return moves && id != kernel.root && IsBitcastOfOperand(program, op, chip);
  };
  const auto bitcasts = std::ranges::count_if(kernel.ops, is_bitcast);
  return static_cast<int64_t>(kernel.ops.size()) - bitcasts == 1 &&
         program.graph.op(kernel.root).kind != OpKind::kLogistic;
}

// The largest published kernel: two operands and a result of 1024 x 1024
// float16 (tpu-v4-vector).
constexpr Bytes kLargestPublished = {6 << 20};
constexpr int64_t kMostSteps = 4096;

// Returns whether the kernel has a matmul, which may run on the vector unit,
// for want of rows.
bool HasProduct(const Kernel& kernel) {
  return kernel.matrix.weight_tiles > 0 || kernel.kind == KernelKind::kMatrix;
}

double TimeOfSteps(const Kernel& kernel, const WindowCosts& costs, int64_t steps) {
  const auto bytes = [](Bytes from_hbm, Bytes on_chip) {
    return WindowBytes{static_cast<double>(from_hbm.value), static_cast<double>(on_chip.value)};
  };
  WindowTraffic traffic;
  traffic.steps = static_cast<double>(steps);
  traffic.read = bytes(kernel.from_hbm(), kernel.on_chip_read);
  traffic.written = bytes(kernel.to_hbm(), kernel.on_chip_write);
  traffic.first_read = traffic.read * (1 / traffic.steps);
  traffic.last_write = traffic.written * (1 / traffic.steps);
  return WindowTime(costs, traffic);
}

// Returns the best number of steps, at least `least`. Each chain through the
// loop takes, from two steps on, a + b / steps + c steps with c >= 0, so their
// longest falls up to its minimum and rises after it.
int64_t BestSteps(const Kernel& kernel, const Chip& chip, int64_t least) {
  const WindowCosts costs = CostsOfWindows(kernel, chip);
  const auto time = [&](int64_t steps) { return TimeOfSteps(kernel, costs, steps); };
  int64_t low = std::max<int64_t>(2, least);
  int64_t high = std::max(low, kMostSteps);
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (time(middle + 1) < time(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return least < low && time(least) <= time(low) ? least : low;
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

int64_t WantedSteps(const Program& program, const Kernel& kernel, const Chip& chip) {
  if (IsSingleInstruction(program, kernel, chip)) return 1;
  const OpContext context{program, chip};
  double work = 0;
  for (const OpId id : kernel.ops) {
    work += CostModelWork(context, program.graph.op(id));
  }
  for (const OpId id : kernel.outputs) {
    work += context.registers(program.graph.op(id));
  }
  // Shapes of a recurrent op are those of all its time steps.
  const int64_t inside = kernel.repeat / program.graph.op(kernel.root).loop.trip_count;
  const double cycles =
      work / chip.vector_alu_slots / static_cast<double>(std::max<int64_t>(1, inside));
  int64_t steps = 1;
  while (steps < kMostSteps && cycles / static_cast<double>(2 * steps) >
                                   static_cast<double>(steps) * chip.window_split_cycles) {
    steps *= 2;
  }
  return steps;
}

void SplitEvenly(Kernel& kernel, const Chip& chip, int64_t steps) {
  const int64_t total = (kernel.hbm_read + kernel.hbm_write).value;
  const int64_t budget = std::max<int64_t>(1, chip.vmem_window_budget.value / 2);
  steps = std::max({int64_t{1}, CeilDiv(total, budget), steps});
  if (total > kLargestPublished.value || HasProduct(kernel)) {
    steps = BestSteps(kernel, chip, steps);
  }
  SetSteps(kernel, steps, {CeilDiv(total, steps)}, chip);
}

void TileEvenly(const Program& program, Kernel& kernel, const Chip& chip) {
  const int64_t steps = kernel.kind == KernelKind::kAttention
                            ? AttentionSteps({program, chip}, program.graph.op(kernel.root))
                            : 0;
  if (steps == 0) {
    return SplitEvenly(kernel, chip, WantedSteps(program, kernel, chip));
  }
  const int64_t total = (kernel.hbm_read + kernel.hbm_write).value;
  SetSteps(kernel, steps, {CeilDiv(total, steps)}, chip);
  kernel.windows.hand_written = true;
}

}  // namespace tilewise
