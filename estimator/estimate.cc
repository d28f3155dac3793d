// The least time each kernel can take: its work over the nameplate rate of
// every unit, the longest of which counts. Knows nothing of the simulator.

#include "estimator/estimate.h"

#include <algorithm>

#include "estimator/links.h"

namespace tilewise {
namespace {

Seconds MatrixTime(const MatrixWork& work, const Chip& chip) {
  const double rows = static_cast<double>(work.weight_tiles) *
                      static_cast<double>(work.rows_per_tile) * static_cast<double>(work.passes);
  const double rows_per_second =
      chip.mxu_rows_per_cycle * static_cast<double>(chip.mxus) * chip.clock_hz * work.rate;
  return {rows / rows_per_second};
}

// The units of the vector processor issue side by side.
Seconds VectorTime(const VectorWork& work, const Chip& chip) {
  const double cycles = std::max(
      {work.alu / chip.vector_alu_slots, work.transcendental / chip.transcendental_per_cycle,
       work.cross_lane * chip.cross_lane_cycles, work.loads / chip.vector_loads_per_cycle,
       work.stores / chip.vector_stores_per_cycle});
  return {cycles / chip.clock_hz};
}

KernelEstimate EstimateHostCopy(const Kernel& kernel, const Chip& chip) {
  KernelEstimate estimate;
  estimate.total = (kernel.hbm_read + kernel.hbm_write) / chip.host_link;
  return estimate;
}

KernelEstimate EstimateKernel(const Kernel& kernel, const Chip& chip, Links& links) {
  if (kernel.kind == KernelKind::kHostCopy) {
    return EstimateHostCopy(kernel, chip);
  }
  KernelEstimate estimate;
  const auto trips = static_cast<double>(kernel.repeat);
  estimate.compute = MatrixTime(kernel.matrix, chip) * trips;
  estimate.vector = VectorTime(kernel.vector, chip) * trips;
  estimate.memory = (kernel.from_hbm() + kernel.to_hbm()) / chip.hbm_bandwidth * trips;
  estimate.total =
      std::max({estimate.compute, estimate.vector, estimate.memory, links.Time(kernel)}) +
      chip.kernel_overhead * trips;
  return estimate;
}

}  // namespace

Estimate EstimateProgram(const Program& program, const Target& target) {
  Estimate estimate;
  Seconds in_order;
  Links beside(target);  // which collectives that may overlap kernels go over
  Seconds to_host, from_host;
  for (const Kernel& kernel : program.kernels) {
    const KernelEstimate one = EstimateKernel(kernel, target.chip, beside);
    if (kernel.kind == KernelKind::kHostCopy) {
      (kernel.goes_to_host() ? to_host : from_host) += one.total;
    } else if (kernel.overlappable) {
      beside.Add(kernel);
    } else {
      in_order += one.total;
    }
    estimate.useful_flops += kernel.matrix.useful_flops * static_cast<double>(kernel.repeat);
    estimate.hbm_traffic += (kernel.from_hbm() + kernel.to_hbm()) * kernel.repeat;
    estimate.kernels.push_back(one);
  }
  estimate.step = std::max({in_order, beside.busiest(), to_host, from_host});
  estimate.hbm_peak = program.memory.peak;
  return estimate;
}

}  // namespace tilewise
