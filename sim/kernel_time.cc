// A kernel's windows through DMA, MXUs and vector unit.
//
// MXU cycles (tpu-hardware, execution units): a weight tile of side x side is
// latched while the rows of the tile before it stream, so a tile takes the
// longer of its rows and its latch. Tiles are spread over the MXUs, or, when
// there are too few tiles, the rows of each tile are. MXU and vector work of
// one kernel overlap, as the bundles hold slots of both.

#include "sim/kernel_time.h"

#include <algorithm>

#include "base/math.h"
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

WindowLoop LoopOf(const Kernel& kernel, Seconds compute, const Chip& chip) {
  const Windows& windows = kernel.windows;
  WindowLoop loop;
  loop.steps = std::max<int64_t>(windows.steps, 1);
  loop.double_buffered = windows.buffers >= 2;
  const double rate = chip.hbm_bandwidth.value * chip.hbm_efficiency *
                      kernel.dma_row_efficiency;
  loop.load =
      WindowTime(windows.read_per_step, kernel.hbm_read, loop.steps, rate);
  loop.store =
      WindowTime(windows.write_per_step, kernel.hbm_write, loop.steps, rate);
  loop.compute = compute / static_cast<double>(loop.steps);
  loop.latency = chip.dma_latency;
  if (kernel.matrix.weight_tiles > 0) {
    loop.fill = {chip.mxu_fill_cycles / chip.clock_hz};
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
  return {std::min(by_tile, by_row) / chip.clock_hz / chip.matmul_efficiency};
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
  const Seconds compute = std::max(mxu, vector);
  const WindowLoop loop = LoopOf(kernel, compute, chip);
  const Seconds body = RunWindowLoop(loop);

  KernelSpan span;
  span.overhead = chip.kernel_overhead * trips;
  span.duration = body * trips + span.overhead;
  span.mxu_busy = mxu * trips;
  span.mxu_useful = {kernel.matrix.useful_flops * trips / chip.peak_flops()};
  span.vector_busy = vector * trips;
  span.dma_busy =
      (loop.load + loop.store) * static_cast<double>(loop.steps) * trips;
  span.exposed_memory = std::max(Seconds{}, body - compute - loop.fill) * trips;
  span.bound = LongestOf(span, (2 * loop.latency + loop.fill) * trips);
  return span;
}

}  // namespace tilewise
