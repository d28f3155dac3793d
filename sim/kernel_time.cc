// A kernel's windows through DMA, MXUs and vector unit.

#include "sim/kernel_time.h"

#include <algorithm>

#include "base/math.h"
#include "sim/lowering/kernels/dma_rate.h"
#include "sim/lowering/kernels/unit_time.h"
#include "sim/window_pipeline.h"

namespace tilewise {
namespace {

// Bytes of one window: the windows may overlap at their edges, so their sum can
// exceed the kernel's traffic, and the last ones may be cut.
Seconds TransferTime(Bytes per_step, Bytes total, int64_t steps, double rate) {
  const double share = static_cast<double>(total.value) / static_cast<double>(steps);
  return {std::max(static_cast<double>(per_step.value), share) / rate};
}

// Bytes per second of traffic of which a part stays on-chip: a second on-chip
// memory has a channel of its own besides HBM's, and what is in VMEM is where
// the units take it from.
double RateOf(Bytes all, Bytes on_chip, double hbm_rate, const Chip& chip) {
  if (on_chip.value <= 0) return hbm_rate;
  const double from_hbm = static_cast<double>((all - on_chip).value) / hbm_rate;
  const double beside = chip.cmem > Bytes{} ? (on_chip / chip.cmem_bandwidth).value : 0;
  return static_cast<double>(all.value) / std::max({from_hbm, beside, 1e-15});
}

// The first load and the last store: nothing of the kernel overlaps them.
Seconds EndsOf(const WindowLoop& loop) {
  Seconds ends;
  if (FirstLoad(loop) > Seconds{}) ends += loop.latency + FirstLoad(loop);
  if (LastStore(loop) > Seconds{}) ends += loop.latency + LastStore(loop);
  return ends;
}

Bound LongestOf(const KernelSpan& span, Seconds latencies) {
  const std::pair<Seconds, Bound> parts[] = {
      {span.mxu_busy, Bound::kMatrix}, {span.vector_busy, Bound::kVector},
      {span.dma_busy, Bound::kMemory}, {span.overhead, Bound::kOverhead},
      {latencies, Bound::kLatency},
  };
  const auto* longest =
      std::max_element(std::begin(parts), std::end(parts),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
  return longest->second;
}

// Steps load no more than what changes; the first step loads all of its
// windows. A result is written when its last step is through.
void SetEnds(const Kernel& kernel, double rate, const Chip& chip, WindowLoop& loop) {
  const Windows& windows = kernel.windows;
  const double first_rate = RateOf(windows.first_read, windows.first_on_chip_read, rate, chip);
  if (loop.steps < 2 && windows.first_read > Bytes{}) {
    loop.load = windows.first_read / BytesPerSecond{first_rate};
  }
  if (windows.buffers < 2 || loop.steps < 2) return;
  const auto others = static_cast<double>(loop.steps - 1);
  if (windows.first_read > Bytes{}) {
    const Bytes rest = kernel.hbm_read - windows.first_read;
    const Bytes rest_on_chip = kernel.on_chip_read - windows.first_on_chip_read;
    loop.first_load = windows.first_read / BytesPerSecond{first_rate};
    loop.load = {};
    if (rest > Bytes{}) {
      const double rest_rate = RateOf(rest, rest_on_chip, rate, chip);
      loop.load = rest / BytesPerSecond{rest_rate} / others;
    }
  }
  if (windows.last_write > Bytes{}) {
    const double write_rate = RateOf(kernel.hbm_write, kernel.on_chip_write, rate, chip);
    const Bytes rest = std::max(Bytes{}, kernel.hbm_write - windows.last_write);
    loop.last_store = windows.last_write / BytesPerSecond{write_rate};
    loop.store = rest / BytesPerSecond{write_rate} / others;
  }
}

// Returns the mixing of what moves between HBM and the chip after the first
// load and before the last store.
double MixingBetweenEnds(const Kernel& kernel, const Chip& chip) {
  const Windows& windows = kernel.windows;
  const Bytes first = windows.first_read - windows.first_on_chip_read;
  const auto read = static_cast<double>((kernel.from_hbm() - first).value);
  const auto written = static_cast<double>(kernel.to_hbm().value);
  const double last = static_cast<double>(windows.last_write.value) /
                      static_cast<double>(std::max<int64_t>(1, kernel.hbm_write.value));
  return MixingFactor(read, written * (1 - last), chip);
}

WindowLoop LoopOf(const Kernel& kernel, Seconds compute, const Chip& chip) {
  const Windows& windows = kernel.windows;
  WindowLoop loop;
  loop.steps = std::max<int64_t>(windows.steps, 1);
  loop.double_buffered = windows.buffers >= 2;
  const double rate = DmaRate(kernel, chip);
  const double read_rate = RateOf(kernel.hbm_read, kernel.on_chip_read, rate, chip);
  const double write_rate = RateOf(kernel.hbm_write, kernel.on_chip_write, rate, chip);
  loop.load = TransferTime(windows.read_per_step, kernel.hbm_read, loop.steps, read_rate);
  loop.store = TransferTime(windows.write_per_step, kernel.hbm_write, loop.steps, write_rate);
  SetEnds(kernel, rate, chip, loop);
  loop.compute = compute / static_cast<double>(loop.steps);
  loop.latency = chip.dma_latency;
  loop.mixing = MixingBetweenEnds(kernel, chip);
  if (kernel.matrix.weight_tiles == 0 || windows.hand_written) {
    loop.overhead = chip.window_overhead;
  }
  loop.fill = FillTime(kernel, chip);
  return loop;
}

struct LoopTime {
  Seconds all;
  Seconds windows;  // of it, the overhead of windows after the first
};

// The MXU's achieved share of its peak has the cost of its windows in it, but
// not of any number of them: nothing is faster than at the peak with each
// window's overhead. Where the array waits for conversions, what shows of it
// beside them was fitted with the windows in it.
LoopTime RunLoop(const Kernel& kernel, const WindowLoop& loop, const Chip& chip) {
  const auto others = static_cast<double>(loop.steps - 1);
  const LoopTime achieved = {RunWindowLoop(loop), loop.overhead * others};
  if (kernel.matrix.weight_tiles == 0 || kernel.windows.hand_written ||
      kernel.matrix.feed_alu > 0 || loop.steps < 2) {
    return achieved;
  }
  WindowLoop at_peak = loop;
  at_peak.compute = ComputeTimeAtPeak(kernel, chip) / static_cast<double>(loop.steps);
  at_peak.overhead = chip.window_overhead;
  const Seconds all = std::max(achieved.all, RunWindowLoop(at_peak));
  return {all, all - achieved.all};
}

}  // namespace

KernelSpan TimeKernel(const Kernel& kernel, const Chip& chip) {
  const auto trips = static_cast<double>(kernel.repeat);
  const Seconds mxu = MatrixTime(kernel.matrix, chip);
  const Seconds vector = VectorTime(kernel.vector, chip);
  const Seconds compute = ComputeTime(kernel, chip);
  const WindowLoop loop = LoopOf(kernel, compute, chip);
  const auto [body, windows] = RunLoop(kernel, loop, chip);

  KernelSpan span;
  span.overhead = chip.kernel_overhead * trips;
  span.duration = body * trips + span.overhead;
  span.mxu_busy = mxu * trips;
  span.mxu_useful = {kernel.matrix.useful_flops * trips / (chip.peak_flops() * kernel.matrix.rate)};
  span.vector_busy = vector * trips;
  span.dma_busy = ChannelTime(loop) * trips;
  span.exposed_memory = std::max(Seconds{}, body - compute - loop.fill) * trips;
  span.fill = loop.fill * trips;
  span.window_overhead = std::min(span.exposed_memory, windows * trips);
  span.exposed_ends = std::min(span.exposed_memory - span.window_overhead, EndsOf(loop) * trips);
  span.bound = LongestOf(span, (2 * loop.latency + loop.fill) * trips);
  return span;
}

}  // namespace tilewise
