// A kernel's windows through DMA, MXUs and vector unit.
//
// MXU cycles (tpu-hardware, execution units): a weight tile of side x side is
// latched while the rows of the tile before it stream, so a tile takes the
// longer of its rows and its latch. Tiles are spread over the MXUs, or, when
// there are too few tiles, the rows of each tile are. MXU and vector work of
// one kernel overlap, as the bundles hold slots of both, but not where the
// array waits for vector work that converts its operands.

#include "sim/kernel_time.h"

#include <algorithm>

#include "base/math.h"
#include "sim/dma_rate.h"
#include "sim/window_pipeline.h"

namespace tilewise {
namespace {

double TileCycles(int64_t rows, const Chip& chip) {
  return std::max(static_cast<double>(rows) / chip.mxu_rows_per_cycle,
                  chip.latch_cycles);
}

// Bytes of one window: the windows may overlap at their edges, so their sum can
// exceed the kernel's traffic, and the last ones may be cut.
Seconds WindowTime(Bytes per_step, Bytes total, int64_t steps, double rate) {
  const double share =
      static_cast<double>(total.value) / static_cast<double>(steps);
  return {std::max(static_cast<double>(per_step.value), share) / rate};
}

// Bytes per second of traffic of which a part stays on-chip: a second on-chip
// memory has a channel of its own beside HBM's, and what is in VMEM is where
// the units take it from.
double RateOf(Bytes all, Bytes on_chip, double hbm_rate, const Chip& chip) {
  if (on_chip.value <= 0) return hbm_rate;
  const double from_hbm = static_cast<double>((all - on_chip).value) / hbm_rate;
  const double beside =
      chip.cmem > Bytes{} ? (on_chip / chip.cmem_bandwidth).value : 0;
  return static_cast<double>(all.value) / std::max({from_hbm, beside, 1e-15});
}

// The first load and the last store: nothing of the kernel runs beside them.
Seconds EndsOf(const WindowLoop& loop) {
  Seconds ends;
  if (FirstLoad(loop) > Seconds{}) ends += loop.latency + FirstLoad(loop);
  if (LastStore(loop) > Seconds{}) ends += loop.latency + LastStore(loop);
  return ends;
}

Seconds ComputeTime(const Kernel& kernel, const Chip& chip) {
  const Seconds mxu = MatrixTime(kernel.matrix, chip);
  const Seconds vector = VectorTime(kernel.vector, chip);
  // The products of a block of attention wait for its softmax, and that for
  // them: the units take turns.
  if (kernel.kind == KernelKind::kAttention) {
    const Seconds turns = {kernel.vector.cross_lane * chip.cross_lane_cycles /
                           chip.clock_hz};
    VectorWork others = kernel.vector;
    others.cross_lane = 0;
    return mxu + VectorTime(others, chip) + turns;
  }
  if (kernel.matrix.feed_alu <= 0) return std::max(mxu, vector);
  return std::max(mxu, vector + mxu * chip.mxu_shown_beside_feed);
}

Bound LongestOf(const KernelSpan& span, Seconds latencies) {
  const std::pair<Seconds, Bound> parts[] = {
      {span.mxu_busy, Bound::kMatrix}, {span.vector_busy, Bound::kVector},
      {span.dma_busy, Bound::kMemory}, {span.overhead, Bound::kOverhead},
      {latencies, Bound::kLatency},
  };
  const auto* longest = std::max_element(
      std::begin(parts), std::end(parts),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  return longest->second;
}

// Steps load no more than what changes; the first step loads all of its
// windows. A result is written when its last step is through.
void SetEnds(const Kernel& kernel, double rate, const Chip& chip,
             WindowLoop& loop) {
  const Windows& windows = kernel.windows;
  const double first_rate =
      RateOf(windows.first_read, windows.first_on_chip_read, rate, chip);
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
    const double write_rate =
        RateOf(kernel.hbm_write, kernel.on_chip_write, rate, chip);
    const Bytes rest = std::max(Bytes{}, kernel.hbm_write - windows.last_write);
    loop.last_store = windows.last_write / BytesPerSecond{write_rate};
    loop.store = rest / BytesPerSecond{write_rate} / others;
  }
}

WindowLoop LoopOf(const Kernel& kernel, Seconds compute, const Chip& chip) {
  const Windows& windows = kernel.windows;
  WindowLoop loop;
  loop.steps = std::max<int64_t>(windows.steps, 1);
  loop.double_buffered = windows.buffers >= 2;
  const double rate = DmaRate(kernel, chip);
  const double read_rate =
      RateOf(kernel.hbm_read, kernel.on_chip_read, rate, chip);
  const double write_rate =
      RateOf(kernel.hbm_write, kernel.on_chip_write, rate, chip);
  loop.load =
      WindowTime(windows.read_per_step, kernel.hbm_read, loop.steps, read_rate);
  loop.store = WindowTime(windows.write_per_step, kernel.hbm_write, loop.steps,
                          write_rate);
  SetEnds(kernel, rate, chip, loop);
  loop.compute = compute / static_cast<double>(loop.steps);
  loop.latency = chip.dma_latency;
  loop.mixing = MixingFactor(kernel, chip);
  // The MXU's achieved share of its peak has the cost of its windows in it.
  if (kernel.matrix.weight_tiles == 0 || windows.hand_written) {
    loop.overhead = chip.window_overhead;
  }
  if (kernel.matrix.weight_tiles > 0) {
    const bool waits = kernel.matrix.feed_alu > 0;
    loop.fill = {chip.mxu_fill_cycles / chip.clock_hz *
                 (waits ? chip.mxu_shown_beside_feed : 1)};
  }
  return loop;
}

}  // namespace

Seconds MatrixTime(const MatrixWork& work, const Chip& chip) {
  if (work.weight_tiles == 0) return {};
  const int64_t streams = work.weight_tiles * work.passes;
  const double by_tile = static_cast<double>(CeilDiv(streams, chip.mxus)) *
                         TileCycles(work.rows_per_tile, chip);
  const int64_t rows_each =
      RoundUp(CeilDiv(work.rows_per_tile, chip.mxus), chip.sublanes);
  const double by_row =
      static_cast<double>(streams) * TileCycles(rows_each, chip);
  const double cycles = std::min(by_tile, by_row) * work.busiest_core;
  return {cycles / work.rate / chip.clock_hz / chip.matmul_efficiency};
}

Seconds VectorTime(const VectorWork& work, const Chip& chip) {
  const double cycles =
      std::max({work.alu / chip.vector_alu_slots,
                work.transcendental / chip.transcendental_per_cycle,
                work.cross_lane * chip.cross_lane_cycles,
                work.loads / chip.vector_loads_per_cycle,
                work.stores / chip.vector_stores_per_cycle});
  return {cycles / chip.clock_hz};
}

KernelSpan TimeKernel(const Kernel& kernel, const Chip& chip) {
  const auto trips = static_cast<double>(kernel.repeat);
  const Seconds mxu = MatrixTime(kernel.matrix, chip);
  const Seconds vector = VectorTime(kernel.vector, chip);
  const Seconds compute = ComputeTime(kernel, chip);
  const WindowLoop loop = LoopOf(kernel, compute, chip);
  const Seconds body = RunWindowLoop(loop);

  KernelSpan span;
  span.overhead = chip.kernel_overhead * trips;
  span.duration = body * trips + span.overhead;
  span.mxu_busy = mxu * trips;
  span.mxu_useful = {kernel.matrix.useful_flops * trips /
                     (chip.peak_flops() * kernel.matrix.rate)};
  span.vector_busy = vector * trips;
  span.dma_busy = ChannelTime(loop) * trips;
  span.exposed_memory = std::max(Seconds{}, body - compute - loop.fill) * trips;
  span.fill = loop.fill * trips;
  span.window_overhead =
      std::min(span.exposed_memory,
               loop.overhead * static_cast<double>(loop.steps - 1) * trips);
  span.exposed_ends = std::min(span.exposed_memory - span.window_overhead,
                               EndsOf(loop) * trips);
  span.bound = LongestOf(span, (2 * loop.latency + loop.fill) * trips);
  return span;
}

}  // namespace tilewise
