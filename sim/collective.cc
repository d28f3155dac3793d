// Collectives as the JAX scaling book states them (sharding chapter), along all
// spans of a group at once. All-gather: every chip sends V (n-1)/n bytes over
// the links it can use, and the last part has crossed all hops; an all-reduce
// sends as much twice. A reduce-scatter goes along one span after the other, of
// what is left of the sum: published ones have 0.98 of the links of v2's one
// axis and 0.49 of those of v6e's two. All-to-all: bytes travel a quarter of a
// closed span on average, over two links; an open one has half the links and
// twice the distance. Cores of one chip communicate over the link between them,
// or through HBM that they have in common, and share the chip's links with the
// other groups on it. Between slices each chip sends its part over the data
// centre's network, after the collective inside a slice.

#include "sim/collective.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "sim/lowering/kernels/dma_rate.h"

namespace tilewise {
namespace {

double Share(int64_t members) {
  return static_cast<double>(members - 1) / static_cast<double>(members);
}

// Each core sends the others' parts of what it has over the link that joins
// the cores, both ways at a time. With HBM in common it reads every copy's
// share; for an all-reduce the sum is written to all of them after that.
Seconds WithinChip(double bytes, int64_t cores, const Chip& chip) {
  if (cores < 2) return {};
  if (chip.core_link_bandwidth > BytesPerSecond{}) {
    return {bytes * Share(cores) / chip.core_link_bandwidth.value};
  }
  return {bytes / StreamRate(chip, 1)};
}

// Returns the time of a group whose chips have `bytes` together once they are
// joined.
Seconds OverLinks(double bytes, const CoreGroup& group, double efficiency, const Chip& chip) {
  if (group.chips() < 2) return {};
  const double rate = group.links(chip) * chip.ici_link_bandwidth.value * efficiency;
  return Seconds{bytes * Share(group.chips()) / rate} +
         chip.ici_hop_latency * static_cast<double>(group.hops());
}

// Returns the time of a sum to parts. Where an efficiency above 1 says that
// several spans work at once, it is no more than all of them do.
Seconds ScatterOverLinks(double bytes, const CoreGroup& group, const Chip& chip) {
  Seconds one_by_one;
  double left = bytes;
  for (const TorusSpan& span : group.spans) {
    CoreGroup along = group;
    along.spans = {span};
    one_by_one += OverLinks(left, along, chip.reduce_scatter_efficiency, chip);
    left /= static_cast<double>(span.length);
  }
  return std::max(one_by_one, OverLinks(bytes, group, 1, chip));
}

Seconds BetweenSlices(double bytes_per_chip, const CoreGroup& group, const Chip& chip) {
  if (group.slices < 2) return {};
  const double rate = chip.dcn_bandwidth.value / static_cast<double>(group.groups_on_chip);
  return Seconds{bytes_per_chip * Share(group.slices) / rate} + chip.dcn_latency;
}

// Parts move within the chips while others are on the links.
Seconds GatherTime(double bytes, const CoreGroup& group, const Chip& chip) {
  const double part = bytes / static_cast<double>(group.chips());
  return std::max(WithinChip(bytes, group.cores_on_chip, chip), OverLinks(bytes, group, 1, chip)) +
         BetweenSlices(part, group, chip);
}

Seconds ScatterTime(double bytes, const CoreGroup& group, const Chip& chip) {
  const double part = bytes / static_cast<double>(group.chips());
  return std::max(WithinChip(bytes, group.cores_on_chip, chip),
                  ScatterOverLinks(bytes, group, chip)) +
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
    const double links = (span.closed ? 2.0 : 1.0) / static_cast<double>(span.stride) / sharing;
    const double link = static_cast<double>(span.length) / 4;
    longest =
        std::max(longest, Seconds{bytes * cores * link / (links * chip.ici_link_bandwidth.value)});
  }
  return WithinChip(bytes, group.cores_on_chip, chip) + longest +
         chip.ici_hop_latency * static_cast<double>(group.hops()) +
         BetweenSlices(bytes * cores, group, chip);
}

// Returns the time to the next core of the group: one hop, over one link.
Seconds PermuteTime(double bytes, const CoreGroup& group, const Chip& chip) {
  if (group.chips() < 2) return WithinChip(bytes, group.cores_on_chip, chip);
  const TorusSpan& span = group.spans.front();
  const double shared = static_cast<double>(group.groups_on_chip * span.stride);
  const double rate = chip.ici_link_bandwidth.value / shared;
  return Seconds{bytes / rate} + chip.ici_hop_latency * static_cast<double>(span.stride);
}

}  // namespace

Seconds CollectiveTime(OpKind collective, Bytes bytes, const CoreGroup& group, const Chip& chip) {
  const double size = static_cast<double>(bytes.value);
  switch (collective) {
    case OpKind::kAllGather:
      return GatherTime(size, group, chip);
    case OpKind::kReduceScatter:
      return ScatterTime(size, group, chip);
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
  return CollectiveTime(OpKind::kAllReduce, bytes, FindGroup(target, ""), chip);
}

Interconnect::Interconnect(const Target& target) : target_(target) {
  Add("");
  for (const MeshAxis axis : kMeshAxes) Add(MeshAxisName(axis));
  // Every joint group of the axes over which weights are stored and gradients
  // summed.
  constexpr std::array<MeshAxis, 5> kSummed = {MeshAxis::kData, MeshAxis::kStage, MeshAxis::kFsdp,
                                               MeshAxis::kExpert, MeshAxis::kContext};
  for (unsigned chosen = 1; chosen < 1U << kSummed.size(); ++chosen) {
    if (std::popcount(chosen) < 2) continue;
    std::vector<MeshAxis> axes;
    for (size_t i = 0; i < kSummed.size(); ++i) {
      if ((chosen >> i & 1U) != 0) axes.push_back(kSummed[i]);
    }
    Add(JoinAxes(axes));
  }
  for (size_t link = 0; link < free_.size(); ++link) all_links_.push_back(link);
}

void Interconnect::Add(std::string_view axis) {
  constexpr size_t kHbm = 0;
  constexpr size_t kNetwork = 1;
  constexpr size_t kTorus = 2;
  NamedGroup named = {std::string(axis), FindGroup(target_, axis), {}};
  if (named.group.cores_on_chip > 1) named.links.push_back(kHbm);
  if (named.group.slices > 1) named.links.push_back(kNetwork);
  for (const TorusSpan& span : named.group.spans) {
    named.links.push_back(kTorus + span.axis);
  }
  for (const size_t link : named.links) {
    free_.resize(std::max(free_.size(), link + 1));
  }
  groups_.push_back(std::move(named));
}

const Interconnect::NamedGroup* Interconnect::Find(const Kernel& kernel) const {
  for (const NamedGroup& known : groups_) {
    if (known.axis == kernel.mesh_axis && known.group.cores() == kernel.participants) {
      return &known;
    }
  }
  return nullptr;
}

std::span<const size_t> Interconnect::LinksOf(const Kernel& kernel) const {
  const NamedGroup* known = Find(kernel);
  return known == nullptr ? all_links_ : known->links;
}

Seconds Interconnect::FreeFor(const Kernel& kernel) const {
  Seconds free;
  for (const size_t link : LinksOf(kernel)) free = std::max(free, free_[link]);
  return free;
}

void Interconnect::Hold(const Kernel& kernel, Seconds until) {
  for (const size_t link : LinksOf(kernel)) {
    free_[link] = std::max(free_[link], until);
  }
  all_free_ = std::max(all_free_, until);
}

bool Interconnect::Share(const Kernel& one, const Kernel& other) const {
  const std::span<const size_t> links = LinksOf(other);
  return std::ranges::any_of(
      LinksOf(one), [&](size_t link) { return std::ranges::find(links, link) != links.end(); });
}

KernelSpan Interconnect::Time(const Kernel& kernel) const {
  const Chip& chip = target_.chip;
  const auto trips = static_cast<double>(kernel.repeat);
  const NamedGroup* known = Find(kernel);
  const CoreGroup group = known != nullptr
                              ? known->group
                              : FindGroup(target_, "", std::max<int64_t>(1, kernel.participants));
  const OpKind way = kernel.by_sum ? OpKind::kAllReduce : kernel.collective;
  const Seconds links = CollectiveTime(way, kernel.collective_bytes, group, chip);
  const double mixing = MixingFactor(static_cast<double>(kernel.from_hbm().value),
                                     static_cast<double>(kernel.to_hbm().value), chip);
  const double rate = DmaRate(kernel, chip) / mixing;
  const double traffic = static_cast<double>((kernel.hbm_read + kernel.hbm_write).value);
  KernelSpan span;
  span.dma_busy = Seconds{traffic / rate} * trips;
  span.overhead = (chip.kernel_overhead + chip.collective_overhead) * trips;
  span.duration = std::max(links * trips, span.dma_busy) + span.overhead;
  span.bound = span.overhead * 2 > span.duration ? Bound::kLatency : Bound::kCollective;
  return span;
}

}  // namespace tilewise
