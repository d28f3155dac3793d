// From the last gather to the first, each ends when it is used or when the next
// one starts, as XLA's latency-hiding scheduler places them. The clock knows
// peak rates only, so gathers start earlier than it says by kMargin. Where the
// links are the bottleneck that would gather everything at the start: no more
// than kWaiting gathers of a mesh axis wait for their readers, which keeps the
// links busy all the same. XLA bounds them by the iteration of the loop over
// layers, or by the memory.

#include "sim/lowering/latency_hiding_schedule/gathers_ahead.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "hardware/torus.h"

namespace tilewise {
namespace {

constexpr double kMargin = 1.5;
constexpr size_t kWaiting = 6;  // assumed: the weights of a layer

bool IsMoved(const Kernel& kernel) {
  return kernel.overlappable && kernel.collective == OpKind::kAllGather;
}

class GatherScheduler {
 public:
  GatherScheduler(Program& program, const Target& target)
      : program_(program),
        target_(target),
        writer_(program.graph.size()),
        reader_(writer_.size()) {}

  void Run() {
    const auto& kernels = program_.kernels;
    if (std::none_of(kernels.begin(), kernels.end(), IsMoved)) return;
    FindEnds();
    StartClock();
    Place();
    Rebuild();
  }

 private:
  KernelId End() const { return KernelId(program_.kernels.size()); }
  const Kernel& kernel(KernelId k) const { return program_.kernels[k]; }
  Seconds at(KernelId k) const { return clock_[k]; }

  void FindEnds() {
    for (KernelId k = End() - 1; k >= 0; --k) {
      for (const OpId id : kernel(k).inputs) {
        reader_[id] = k;  // the first, at the end
      }
      for (const OpId id : kernel(k).outputs) {
        writer_[id] = k;
      }
    }
    for (KernelId k = 0; k < End(); ++k) {
      is_of_weights_.push_back(IsOfWeights(k));
    }
  }

  Seconds LinkTime(const Kernel& gather) {
    if (gather.mesh_axis != axis_ || rate_ == 0) {
      axis_ = gather.mesh_axis;
      const CoreGroup group = FindGroup(target_, axis_, gather.participants);
      rate_ = std::max(group.links(target_.chip), 0.5) * target_.chip.ici_link_bandwidth.value;
    }
    return Seconds{static_cast<double>(gather.collective_bytes.value) / rate_} +
           target_.chip.collective_overhead;
  }

  // Collectives hide nothing: they need the links themselves.
  Seconds RoughTime(const Kernel& work) const {
    if (work.kind == KernelKind::kCollective || work.kind == KernelKind::kHostCopy) {
      return {};
    }
    const Chip& chip = target_.chip;
    const Seconds matrix = {work.matrix.padded_flops / (chip.peak_flops() * work.matrix.rate)};
    const Seconds memory = (work.hbm_read + work.hbm_write) / chip.hbm_bandwidth;
    return std::max(matrix, memory) * static_cast<double>(work.repeat);
  }

  // Finds when each kernel starts if collectives take no time.
  void StartClock() {
    Seconds now;
    for (KernelId k = 0; k < End(); ++k) {
      clock_.push_back(now);
      now += RoughTime(kernel(k));
    }
    clock_.push_back(now);
  }

  KernelId FirstReader(KernelId gather) const {
    KernelId first = End();
    for (const OpId id : kernel(gather).outputs) {
      const KernelId reader = reader_[id];
      if (reader >= 0) first = std::min(first, reader);
    }
    return first;
  }

  // A kernel that reads arguments of the program alone is issued with its
  // gather, and so are those that lead from a weight to it: its conversion and
  // its copy into another layout.
  bool IsFree(KernelId k) const {
    if (k < 0 || is_of_weights_[k]) return true;
    return std::all_of(kernel(k).inputs.begin(), kernel(k).inputs.end(),
                       [this](OpId id) { return writer_[id] < 0; });
  }

  bool IsOfWeights(KernelId k) const {
    if (kernel(k).kind == KernelKind::kCollective) return false;
    return std::all_of(kernel(k).inputs.begin(), kernel(k).inputs.end(), [&](OpId id) {
      const KernelId writer = writer_[id];
      return writer < 0 ? program_.graph.op(id).kind != OpKind::kParameter
                        : writer < k && is_of_weights_[writer];
    });
  }

  // Returns the first kernel of each iteration; 0 for none.
  std::vector<KernelId> IterationBegins() const {
    std::vector<KernelId> begins = {0};
    for (KernelId k = 0; k < End(); ++k) {
      const size_t iteration = kernel(k).iteration;
      if (kernel(k).overlappable || iteration < begins.size()) continue;
      begins.resize(iteration + 1, k);
    }
    return begins;
  }

  // Returns, for each kernel, the first before which a gather may be issued:
  // its inputs are there, its iteration has begun and the gathers kWaiting
  // before it are read.
  std::vector<KernelId> EarliestPositions() const {
    std::vector<KernelId> earliest(End(), 0);
    const std::vector<KernelId> begins = IterationBegins();
    std::map<std::string_view, std::vector<KernelId>> readers;  // by axis
    for (KernelId k = 0; k < End(); ++k) {
      if (!IsMoved(kernel(k))) continue;
      KernelId& place = earliest[k];
      place = begins[kernel(k).iteration];
      for (const OpId id : kernel(k).inputs) {
        const KernelId writer = writer_[id];
        if (!IsFree(writer)) place = std::max(place, writer + 1);
      }
      std::vector<KernelId>& before = readers[kernel(k).mesh_axis];
      if (before.size() >= kWaiting) {
        place = std::max(place, before[before.size() - kWaiting] + 1);
      }
      const KernelId reader = FirstReader(k);
      before.push_back(reader < End() ? reader : k);
    }
    return earliest;
  }

  // The kernel before which each gather is issued.
  void Place() {
    const std::vector<KernelId> earliest_positions = EarliestPositions();
    before_.assign(End(), KernelId());
    // These are what comes before the gathers of a mesh axis seen so far.
    struct Links {
      Seconds free;
      KernelId bound;
    };
    std::map<std::string_view, Links> links;
    for (KernelId k = End() - 1; k >= 0; --k) {
      if (!IsMoved(kernel(k))) continue;
      auto& [free, bound] =
          links.try_emplace(kernel(k).mesh_axis, Links{at(End()), End()}).first->second;
      const KernelId earliest = earliest_positions[k];
      const Seconds end = std::min(free, at(FirstReader(k)));
      const Seconds start = end - LinkTime(kernel(k)) * kMargin;
      const auto after = std::upper_bound(clock_.begin(), clock_.begin() + k + 1, start);
      const auto slot = std::max<KernelId>(0, KernelId(after - clock_.begin()) - 1);
      bound = std::min(bound, std::max(slot, earliest));
      bound = std::max(bound, earliest);
      before_[k] = std::min(bound, k);
      free = std::max(start, at(earliest));
    }
  }

  void Rebuild() {
    std::vector<std::vector<KernelId>> issued(End() + 1);
    for (KernelId k = 0; k < End(); ++k) {
      const KernelId slot = before_[k];
      if (slot >= 0) issued[slot].push_back(k);
    }
    std::vector<KernelId> order;
    std::vector<bool> is_in(End());
    // A kernel behind what it reads.
    const auto append = [&](const auto& self, KernelId k) -> void {
      if (k < 0 || is_in[k]) return;
      is_in[k] = true;
      for (const OpId id : kernel(k).inputs) {
        self(self, writer_[id]);
      }
      order.push_back(k);
    };
    for (KernelId k = 0; k < End(); ++k) {
      for (const KernelId gather : issued[k]) {
        append(append, gather);
      }
      if (before_[k] < 0) append(append, k);
    }
    std::vector<Kernel> ordered;
    ordered.reserve(program_.kernels.size());
    for (const KernelId k : order) {
      ordered.push_back(std::move(program_.kernels[k]));
    }
    program_.kernels = std::move(ordered);
  }

  Program& program_;
  const Target& target_;
  std::vector<KernelId> writer_;  // by value
  std::vector<KernelId> reader_;
  std::vector<bool> is_of_weights_;  // by kernel
  std::vector<Seconds> clock_;
  std::vector<KernelId> before_;  // by kernel; none: stays
  std::string axis_;
  double rate_ = 0;
};

}  // namespace

void IssueGathersAhead(Program& program, const Target& target) {
  GatherScheduler(program, target).Run();
}

}  // namespace tilewise
