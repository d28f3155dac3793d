// Exchanges as the JAX scaling book states them (sharding chapter), along all
// spans of a group at once. Reduce-scatter and all-gather: every chip sends
// V (n-1)/n bytes over the links it can use, and the last part has crossed all
// hops; an all-reduce is one after the other. All-to-all: bytes travel a
// quarter of a closed span on average, over two links; an open one has half the
// links and twice the way. Cores of one chip exchange through its HBM, and
// share its links with the other groups on it. Between slices each chip sends
// its part over the data centre's network, after the exchange inside a slice.

#include "sim/collective.h"

#include <algorithm>

#include "sim/lowering/kernels/dma_rate.h"

namespace tilewise {
namespace {

double Share(int64_t members) {
  return static_cast<double>(members - 1) / static_cast<double>(members);
}

// Each core reads every copy's share; for an all-reduce the sum is written to
// all of them after that.
Seconds WithinChip(double bytes, int64_t cores, const Chip& chip) {
  if (cores < 2) return {};
  return {bytes / StreamRate(chip, 1)};
}

// Of a group whose chips have `bytes` together once they are joined.
Seconds OverLinks(double bytes, const CoreGroup& group, double efficiency,
                  const Chip& chip) {
  if (group.chips() < 2) return {};
  const double rate =
      group.links(chip) * chip.ici_link_bandwidth.value * efficiency;
  return Seconds{bytes * Share(group.chips()) / rate} +
         chip.ici_hop_latency * static_cast<double>(group.hops());
}

Seconds BetweenSlices(double bytes_per_chip, const CoreGroup& group,
                      const Chip& chip) {
  if (group.slices < 2) return {};
  const double rate =
      chip.dcn_bandwidth.value / static_cast<double>(group.groups_on_chip);
  return Seconds{bytes_per_chip * Share(group.slices) / rate} +
         chip.dcn_latency;
}

// Parts move within the chips while others are on the links.
Seconds GatherTime(double bytes, const CoreGroup& group, const Chip& chip) {
  const double part = bytes / static_cast<double>(group.chips());
  return std::max(WithinChip(bytes, group.cores_on_chip, chip),
                  OverLinks(bytes, group, 1, chip)) +
         BetweenSlices(part, group, chip);
}

// The cores of a chip add up first, and share the sum out last.
Seconds SumTime(double bytes, const CoreGroup& group, const Chip& chip) {
  const double part = bytes / static_cast<double>(group.chips());
  return (WithinChip(bytes, group.cores_on_chip, chip) +
          OverLinks(bytes, group, chip.all_reduce_efficiency, chip) +
          BetweenSlices(part, group, chip)) *
         2;
}

Seconds AllToAllTime(double bytes, const CoreGroup& group, const Chip& chip) {
  const double cores = static_cast<double>(group.cores_on_chip);
  const double sharing = static_cast<double>(group.groups_on_chip);
  Seconds longest;
  for (const TorusSpan& span : group.spans) {
    const double links =
        (span.closed ? 2.0 : 1.0) / static_cast<double>(span.stride) / sharing;
    const double way = static_cast<double>(span.length) / 4;
    longest = std::max(
        longest,
        Seconds{bytes * cores * way / (links * chip.ici_link_bandwidth.value)});
  }
  return WithinChip(bytes, group.cores_on_chip, chip) + longest +
         chip.ici_hop_latency * static_cast<double>(group.hops()) +
         BetweenSlices(bytes * cores, group, chip);
}

// To the next core of the group: one hop, over one link.
Seconds PermuteTime(double bytes, const CoreGroup& group, const Chip& chip) {
  if (group.chips() < 2) return WithinChip(bytes, group.cores_on_chip, chip);
  const TorusSpan& span = group.spans.front();
  const double shared = static_cast<double>(group.groups_on_chip * span.stride);
  const double rate = chip.ici_link_bandwidth.value / shared;
  return Seconds{bytes / rate} +
         chip.ici_hop_latency * static_cast<double>(span.stride);
}

}  // namespace

Seconds ExchangeTime(OpKind exchange, Bytes bytes, const CoreGroup& group,
                     const Chip& chip) {
  const double size = static_cast<double>(bytes.value);
  switch (exchange) {
    case OpKind::kAllGather:
    case OpKind::kReduceScatter:
      return GatherTime(size, group, chip);
    case OpKind::kAllToAll:
      return AllToAllTime(size, group, chip);
    case OpKind::kCollectivePermute:
      return PermuteTime(size, group, chip);
    default:
      return SumTime(size, group, chip);
  }
}

Seconds AllReduceTime(Bytes bytes, int64_t cores, const Chip& chip) {
  Target target;
  target.chip = chip;
  target.cores = cores;
  return ExchangeTime(OpKind::kAllReduce, bytes, FindGroup(target, ""), chip);
}

Interconnect::Interconnect(const Target& target) : target_(target) {
  groups_.push_back({"", FindGroup(target, "")});
  groups_.push_back(
      {std::string(kDataAndFsdp), FindGroup(target, kDataAndFsdp)});
  for (const MeshAxis axis : kMeshAxes) {
    groups_.push_back({std::string(MeshAxisName(axis)),
                       FindGroup(target, MeshAxisName(axis))});
  }
}

CoreGroup Interconnect::GroupOf(const Kernel& kernel) const {
  for (const NamedGroup& known : groups_) {
    if (known.axis == kernel.mesh_axis &&
        known.group.cores() == kernel.participants) {
      return known.group;
    }
  }
  return FindGroup(target_, "", std::max<int64_t>(1, kernel.participants));
}

KernelSpan Interconnect::Time(const Kernel& kernel) const {
  const Chip& chip = target_.chip;
  const auto trips = static_cast<double>(kernel.repeat);
  const Seconds links = ExchangeTime(kernel.exchange, kernel.collective_bytes,
                                     GroupOf(kernel), chip);
  const double mixing =
      MixingFactor(static_cast<double>(kernel.from_hbm().value),
                   static_cast<double>(kernel.to_hbm().value), chip);
  const double rate = DmaRate(kernel, chip) / mixing;
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
