// The least time each kernel can take: its work over the nameplate rate of
// every unit, the longest of which counts. Knows nothing of the simulator.

#include "estimator/estimate.h"

#include <algorithm>

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

// How often a byte leaves the chips that do not keep it; 0 where that depends
// on the way it takes.
double Sends(OpKind collective) {
  switch (collective) {
    case OpKind::kAllReduce:
      return 2;
    case OpKind::kAllGather:
    case OpKind::kReduceScatter:
      return 1;
    default:
      return 0;
  }
}

// Returns the time over all links of a chip; cores of one chip may share its
// links' work.
Seconds LinkTime(const Kernel& kernel, const Chip& chip) {
  const int64_t chips = kernel.participants / chip.cores_per_chip;
  if (chips < 2) return {};
  const double share = static_cast<double>(chips - 1) / static_cast<double>(chips);
  const double links = static_cast<double>(chip.ici_links);
  return (Sends(kernel.collective) * share / links) *
         (kernel.collective_bytes / chip.ici_link_bandwidth);
}

KernelEstimate EstimateHostCopy(const Kernel& kernel, const Chip& chip) {
  KernelEstimate estimate;
  estimate.total = (kernel.hbm_read + kernel.hbm_write) / chip.host_link;
  return estimate;
}

KernelEstimate EstimateKernel(const Kernel& kernel, const Chip& chip) {
  if (kernel.kind == KernelKind::kHostCopy) {
    return EstimateHostCopy(kernel, chip);
  }
  KernelEstimate estimate;
  const auto trips = static_cast<double>(kernel.repeat);
  estimate.compute = MatrixTime(kernel.matrix, chip) * trips;
  estimate.vector = VectorTime(kernel.vector, chip) * trips;
  estimate.memory = (kernel.from_hbm() + kernel.to_hbm()) / chip.hbm_bandwidth * trips;
  const Seconds links = LinkTime(kernel, chip) * trips;
  estimate.total = std::max({estimate.compute, estimate.vector, estimate.memory, links}) +
                   chip.kernel_overhead * trips;
  return estimate;
}

}  // namespace

Estimate EstimateProgram(const Program& program, const Target& target) {
  Estimate estimate;
  Seconds in_order;
  // This is all that collectives send over all links, where they may overlap
  // kernels, and each other on other links.
  Seconds beside;
  Seconds to_host, from_host;
  for (const Kernel& kernel : program.kernels) {
    const KernelEstimate one = EstimateKernel(kernel, target.chip);
    if (kernel.kind == KernelKind::kHostCopy) {
      (kernel.goes_to_host() ? to_host : from_host) += one.total;
    } else if (kernel.overlappable) {
      beside += LinkTime(kernel, target.chip) * static_cast<double>(kernel.repeat);
    } else {
      in_order += one.total;
    }
    estimate.useful_flops += kernel.matrix.useful_flops * static_cast<double>(kernel.repeat);
    estimate.hbm_traffic += (kernel.from_hbm() + kernel.to_hbm()) * kernel.repeat;
    estimate.kernels.push_back(one);
  }
  estimate.step = std::max({in_order, beside, to_host, from_host});
  estimate.hbm_peak = program.memory.peak;
  return estimate;
}

}  // namespace tilewise
