// MXU cycles (tpu-hardware, execution units): a weight tile of side x side is
// latched while the rows of the tile before it stream, so a tile takes the
// longer of its rows and its latch. Tiles are spread over the MXUs, or, when
// there are too few tiles, the rows of each tile are.

#include "sim/lowering/kernels/unit_time.h"

#include <algorithm>

#include "base/math.h"

namespace tilewise {
namespace {

double TileCycles(int64_t rows, const Chip& chip) {
  return std::max(static_cast<double>(rows) / chip.mxu_rows_per_cycle, chip.latch_cycles);
}

Seconds Together(const Kernel& kernel, Seconds mxu, const Chip& chip) {
  const Seconds vector = VectorTime(kernel.vector, chip);
  if (kernel.matrix.in_turns) {
    const Seconds cross_lane = {kernel.vector.cross_lane * chip.cross_lane_cycles / chip.clock_hz};
    VectorWork others = kernel.vector;
    others.cross_lane = 0;
    return mxu + VectorTime(others, chip) + cross_lane;
  }
  // The array waits for vector work that converts its operands.
  if (kernel.matrix.feed_alu <= 0) return std::max(mxu, vector);
  return std::max(mxu, vector + mxu * chip.mxu_shown_beside_feed);
}

}  // namespace

Seconds MatrixTime(const MatrixWork& work, const Chip& chip) {
  if (work.weight_tiles == 0) return {};
  const int64_t streams = work.weight_tiles * work.passes;
  const double by_tile =
      static_cast<double>(CeilDiv(streams, chip.mxus)) * TileCycles(work.rows_per_tile, chip);
  const int64_t rows_each = RoundUp(CeilDiv(work.rows_per_tile, chip.mxus), chip.sublanes);
  const double by_row = static_cast<double>(streams) * TileCycles(rows_each, chip);
  const double cycles = std::min(by_tile, by_row) * work.busiest_core;
  return {cycles / work.rate / chip.clock_hz / chip.matmul_efficiency};
}

Seconds VectorTime(const VectorWork& work, const Chip& chip) {
  const double cycles = std::max(
      {work.alu / chip.vector_alu_slots, work.transcendental / chip.transcendental_per_cycle,
       work.cross_lane * chip.cross_lane_cycles, work.loads / chip.vector_loads_per_cycle,
       work.stores / chip.vector_stores_per_cycle});
  return {cycles / chip.clock_hz};
}

Seconds ComputeTime(const Kernel& kernel, const Chip& chip) {
  return Together(kernel, MatrixTime(kernel.matrix, chip), chip);
}

Seconds ComputeTimeAtPeak(const Kernel& kernel, const Chip& chip) {
  const Seconds mxu = MatrixTime(kernel.matrix, chip);
  return Together(kernel, mxu * chip.matmul_efficiency, chip);
}

Seconds FillTime(const Kernel& kernel, const Chip& chip) {
  if (kernel.matrix.weight_tiles == 0) return {};
  return {chip.mxu_fill_cycles / chip.clock_hz * static_cast<double>(kernel.matrix.fills)};
}

}  // namespace tilewise
