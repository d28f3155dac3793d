// Reduce-scatter and all-gather along all axes of the torus at once
// (tpu-hardware, collectives): each chip sends 2 V (n-1)/n bytes, spread over
// the links it can use. An axis that closes to a ring gives two, an open one
// one. Cores of one chip first add their copies up in HBM, then share the
// links.

#include "sim/collective.h"

#include <algorithm>

namespace tilewise {
namespace {

bool ClosesToRing(int64_t length, const Chip& chip) {
  return length % chip.torus_wrap_chips == 0;
}

int64_t LinksInUse(const std::vector<int64_t>& axes, const Chip& chip) {
  int64_t links = 0;
  for (const int64_t length : axes) links += ClosesToRing(length, chip) ? 2 : 1;
  return std::clamp<int64_t>(links, 1, chip.ici_links);
}

int64_t Hops(const std::vector<int64_t>& axes, const Chip& chip) {
  int64_t hops = 0;
  for (const int64_t length : axes) {
    hops += ClosesToRing(length, chip) ? length / 2 : length - 1;
  }
  return hops;
}

// Each core reads every copy's share and writes the sum to all of them.
Seconds WithinChip(Bytes bytes, int64_t cores, const Chip& chip) {
  if (cores < 2) return {};
  const double traffic = 2 * static_cast<double>(bytes.value) /
                         (chip.hbm_bandwidth.value * chip.hbm_efficiency);
  return {traffic};
}

}  // namespace

std::vector<int64_t> TorusAxes(int64_t chips, int64_t dims) {
  std::vector<int64_t> axes;
  int64_t left = chips;
  for (int64_t dim = dims; dim > 0 && left > 1; --dim) {
    // The largest divisor whose power `dim` is at most what is left.
    int64_t length = 1;
    for (int64_t candidate = 1; candidate <= left; ++candidate) {
      double power = 1;
      for (int64_t i = 0; i < dim; ++i) power *= static_cast<double>(candidate);
      if (power > static_cast<double>(left)) break;
      if (left % candidate == 0) length = candidate;
    }
    if (dim == 1) length = left;
    if (length > 1) axes.push_back(length);
    left /= length;
  }
  std::sort(axes.rbegin(), axes.rend());
  return axes;
}

Seconds AllReduceTime(Bytes bytes, int64_t cores, const Chip& chip) {
  const int64_t on_chip = std::min(cores, chip.cores_per_chip);
  const int64_t chips = (cores + on_chip - 1) / on_chip;
  const Seconds within = WithinChip(bytes, on_chip, chip);
  if (chips < 2) return within;
  const std::vector<int64_t> axes = TorusAxes(chips, chip.torus_dims);
  const double sent = 2 * static_cast<double>(bytes.value) *
                      static_cast<double>(chips - 1) /
                      static_cast<double>(chips);
  const double rate = static_cast<double>(LinksInUse(axes, chip)) *
                      chip.ici_link_bandwidth.value *
                      chip.all_reduce_efficiency;
  const Seconds latency =
      chip.ici_hop_latency * static_cast<double>(2 * Hops(axes, chip));
  return within + Seconds{sent / rate} + latency;
}

KernelSpan TimeCollective(const Kernel& kernel, const Chip& chip) {
  const auto trips = static_cast<double>(kernel.repeat);
  const Seconds links = AllReduceTime(
      kernel.collective_bytes, std::max<int64_t>(kernel.participants, 1), chip);
  const double rate = chip.hbm_bandwidth.value * chip.hbm_efficiency *
                      kernel.dma_row_efficiency;
  const double traffic =
      static_cast<double>((kernel.hbm_read + kernel.hbm_write).value);
  KernelSpan span;
  span.dma_busy = Seconds{traffic / rate} * trips;
  span.overhead = (chip.kernel_overhead + chip.collective_overhead) * trips;
  span.duration = std::max(links * trips, span.dma_busy) + span.overhead;
  span.bound =
      span.overhead * 2 > span.duration ? Bound::kLatency : Bound::kCollective;
  return span;
}

}  // namespace tilewise
