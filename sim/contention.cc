// Every transfer has a constant share of the bandwidth while it lasts. What a
// longer kernel meets of later transfers is not counted again.

#include "sim/contention.h"

#include <algorithm>

namespace tilewise {

Bytes TrafficBeside(const Kernel& transfer) {
  if (transfer.kind != KernelKind::kCollective) {
    return transfer.hbm_read + transfer.hbm_write;
  }
  switch (transfer.collective) {
    case OpKind::kAllReduce:
      return 4 * transfer.collective_bytes;  // scattered, then gathered
    case OpKind::kAllGather:
    case OpKind::kReduceScatter:
      return 2 * transfer.collective_bytes;
    default:
      return transfer.hbm_read + transfer.hbm_write;
  }
}

void Contention::Add(Seconds start, Seconds end, Bytes bytes) {
  if (end <= start || bytes <= Bytes{}) return;
  const double share = (bytes / bandwidth_) / (end - start);
  transfers_.push_back({start, end, std::min(share, 1.0)});
}

void Contention::Slow(KernelSpan& span) {
  std::erase_if(transfers_, [&](const Transfer& transfer) { return transfer.end <= span.start; });
  const Seconds end = span.start + span.duration;
  Seconds taken;
  for (const Transfer& transfer : transfers_) {
    const Seconds from = std::max(span.start, transfer.start);
    const Seconds to = std::min(end, transfer.end);
    if (to > from) taken += (to - from) * transfer.share;
  }
  const Seconds longer = span.dma_busy + taken - span.duration;
  if (longer <= Seconds{} || taken <= Seconds{}) return;
  span.duration += longer;
  span.exposed_memory += longer;
  span.bound = Bound::kMemory;
}

}  // namespace tilewise
