// Even split of a kernel's bytes. The rule for small kernels is read off the
// sizes at which published v4 activations get faster. Of larger ones no windows
// are published: they get those that take the least time, so that more VMEM
// does no harm.

#include "sim/lowering/passes/even_tiles.h"

#include <algorithm>
#include <cmath>

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

// The largest published kernel: two operands and a result of 1024 x 1024
// float16 (tpu-v4-vector).
constexpr Bytes kLargestPublished = {6 << 20};
constexpr int64_t kMostSteps = 4096;
constexpr double kLeastOverhead = 1e-9;  // seconds: so that counts are finite

// A loop of double-buffered windows in closed form: the first load and the last
// store have nothing beside them, all other transfers mix both directions. The
// channel waits for the first window's work, having loaded one more, and for
// the last one's, having stored the one before.
struct EvenLoop {
  double load = 0, compute = 0, store = 0;  // seconds, of all steps
  double mixing = 1;
  double overhead = 0;  // seconds, of each step after the first

  double Waits() const {
    return std::max(0.0, compute - load * mixing) +
           std::max(0.0, compute - store * mixing);
  }

  double Time(int64_t steps) const {
    if (steps < 2) return load + compute + store;
    const auto n = static_cast<double>(steps);
    const double ends = (load + store) / n;
    const double channel = (n - 1) * ends * mixing + Waits() / n;
    return ends + std::max(compute, channel) + (n - 1) * overhead;
  }

  // At least `steps`, which is the best from there on or next to where one of
  // the terms above is least; two are the fewest that mix.
  int64_t BestSteps(int64_t steps) const {
    const double unmixed = (load + store) * (1 - mixing);
    int64_t best = steps;
    const auto consider = [&](double n) {
      const auto count = static_cast<int64_t>(
          std::clamp(n, 2.0, static_cast<double>(kMostSteps)));
      if (count > steps && Time(count) < Time(best)) best = count;
    };
    consider(2);
    for (const double exposed : {load + store, Waits() + unmixed}) {
      const double least = std::sqrt(std::max(0.0, exposed) / overhead);
      consider(std::floor(least));
      consider(std::ceil(least));
    }
    return best;
  }
};

double ComputeSeconds(const Kernel& kernel, const Chip& chip) {
  const VectorWork& work = kernel.vector;
  const double vector =
      std::max({work.alu / chip.vector_alu_slots,
                work.transcendental / chip.transcendental_per_cycle,
                work.cross_lane * chip.cross_lane_cycles,
                work.loads / chip.vector_loads_per_cycle,
                work.stores / chip.vector_stores_per_cycle});
  return std::max(vector / chip.clock_hz,
                  kernel.matrix.padded_flops / chip.peak_flops());
}

EvenLoop LoopOf(const Kernel& kernel, const Chip& chip) {
  const auto read = static_cast<double>(kernel.hbm_read.value);
  const auto written = static_cast<double>(kernel.hbm_write.value);
  const HbmChannels& hbm = chip.hbm_channels;
  const auto efficiency = [&](double mixed) {
    return HbmEfficiency(hbm, static_cast<double>(hbm.row_bytes), mixed);
  };
  const double rate =
      chip.hbm_bandwidth.value * chip.hbm_efficiency * efficiency(0);
  EvenLoop loop;
  loop.load = read / rate;
  loop.store = written / rate;
  loop.compute = ComputeSeconds(kernel, chip);
  if (read > 0 && written > 0) {
    loop.mixing = efficiency(0) /
                  efficiency(2 * std::min(read, written) / (read + written));
  }
  loop.overhead = std::max(chip.window_overhead.value, kLeastOverhead);
  return loop;
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
  const OpContext context{program, chip};
  double work = 0;
  for (const OpId id : kernel.ops) {
    work += BelievedWork(context, program.graph.op(id));
  }
  for (const OpId id : kernel.outputs) {
    work += context.registers(program.graph.op(id));
  }
  // Shapes of a recurrent op are those of all its time steps.
  const int64_t inside =
      kernel.repeat / program.graph.op(kernel.root).loop.trips;
  const double cycles = work / chip.vector_alu_slots /
                        static_cast<double>(std::max<int64_t>(1, inside));
  int64_t steps = 1;
  while (steps < kMostSteps &&
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
  if (total > kLargestPublished.value) {
    steps = LoopOf(kernel, chip).BestSteps(steps);
  }
  SetSteps(kernel, steps, {CeilDiv(total, steps)}, chip);
}

}  // namespace tilewise
