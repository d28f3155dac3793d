// From the last gather to the first, each ends when it is used or when the next
// one starts, as XLA's latency-hiding scheduler places them. The clock knows
// peak rates only, so gathers start earlier than it says by kMargin.

#include "sim/lowering/passes/gathers_ahead.h"

#include <algorithm>

#include "hardware/torus.h"

namespace tilewise {
namespace {

constexpr double kMargin = 1.5;

bool IsMoved(const Kernel& kernel) {
  return kernel.overlappable && kernel.exchange == OpKind::kAllGather;
}

class GatherScheduler {
 public:
  GatherScheduler(Program& program, const Target& target)
      : program_(program),
        target_(target),
        writer_(static_cast<size_t>(program.graph.size()), -1),
        reader_(writer_.size(), -1) {}

  void Run() {
    const auto& kernels = program_.kernels;
    if (std::none_of(kernels.begin(), kernels.end(), IsMoved)) return;
    FindEnds();
    StartClock();
    Place();
    Rebuild();
  }

 private:
  int32_t Count() const {
    return static_cast<int32_t>(program_.kernels.size());
  }
  const Kernel& kernel(int32_t k) const {
    return program_.kernels[static_cast<size_t>(k)];
  }
  Seconds at(int32_t k) const { return clock_[static_cast<size_t>(k)]; }

  void FindEnds() {
    for (int32_t k = Count() - 1; k >= 0; --k) {
      for (const OpId id : kernel(k).inputs) {
        reader_[static_cast<size_t>(id)] = k;  // the first, at the end
      }
      for (const OpId id : kernel(k).outputs) {
        writer_[static_cast<size_t>(id)] = k;
      }
    }
  }

  Seconds LinkTime(const Kernel& gather) {
    if (gather.mesh_axis != axis_ || rate_ == 0) {
      axis_ = gather.mesh_axis;
      const CoreGroup group = FindGroup(target_, axis_, gather.participants);
      rate_ = std::max(group.links(target_.chip), 0.5) *
              target_.chip.ici_link_bandwidth.value;
    }
    return Seconds{static_cast<double>(gather.collective_bytes.value) / rate_} +
           target_.chip.collective_overhead;
  }

  // Collectives hide nothing: they need the links themselves.
  Seconds RoughTime(const Kernel& work) const {
    if (work.kind == KernelKind::kCollective ||
        work.kind == KernelKind::kHostCopy) {
      return {};
    }
    const Chip& chip = target_.chip;
    const Seconds matrix = {work.matrix.padded_flops /
                            (chip.peak_flops() * work.matrix.rate)};
    const Seconds memory =
        (work.hbm_read + work.hbm_write) / chip.hbm_bandwidth;
    return std::max(matrix, memory) * static_cast<double>(work.repeat);
  }

  // When each kernel starts if exchanges take no time.
  void StartClock() {
    Seconds now;
    for (int32_t k = 0; k < Count(); ++k) {
      clock_.push_back(now);
      now += RoughTime(kernel(k));
    }
    clock_.push_back(now);
  }

  // The kernel before which each gather is issued.
  void Place() {
    before_.assign(static_cast<size_t>(Count()), -1);
    Seconds free = at(Count());  // the links, up to the next gather
    int32_t bound = Count();
    for (int32_t k = Count() - 1; k >= 0; --k) {
      if (!IsMoved(kernel(k))) continue;
      int32_t first_reader = Count();
      for (const OpId id : kernel(k).outputs) {
        const int32_t reader = reader_[static_cast<size_t>(id)];
        if (reader >= 0) first_reader = std::min(first_reader, reader);
      }
      int32_t earliest = 0;
      for (const OpId id : kernel(k).inputs) {
        earliest = std::max(earliest, writer_[static_cast<size_t>(id)] + 1);
      }
      const Seconds end = std::min(free, at(first_reader));
      const Seconds start = end - LinkTime(kernel(k)) * kMargin;
      const auto after =
          std::upper_bound(clock_.begin(), clock_.begin() + k + 1, start);
      const auto slot = std::max<int32_t>(
          0, static_cast<int32_t>(after - clock_.begin()) - 1);
      bound = std::min(bound, std::max(slot, earliest));
      bound = std::max(bound, earliest);
      before_[static_cast<size_t>(k)] = std::min(bound, k);
      free = std::max(start, at(earliest));
    }
  }

  void Rebuild() {
    std::vector<std::vector<int32_t>> issued(static_cast<size_t>(Count()) + 1);
    for (int32_t k = 0; k < Count(); ++k) {
      const int32_t slot = before_[static_cast<size_t>(k)];
      if (slot >= 0) issued[static_cast<size_t>(slot)].push_back(k);
    }
    std::vector<Kernel> ordered;
    ordered.reserve(program_.kernels.size());
    for (int32_t k = 0; k < Count(); ++k) {
      for (const int32_t gather : issued[static_cast<size_t>(k)]) {
        ordered.push_back(
            std::move(program_.kernels[static_cast<size_t>(gather)]));
      }
      if (before_[static_cast<size_t>(k)] >= 0) continue;
      ordered.push_back(std::move(program_.kernels[static_cast<size_t>(k)]));
    }
    program_.kernels = std::move(ordered);
  }

  Program& program_;
  const Target& target_;
  std::vector<int32_t> writer_;  // by value: kernel, -1 for none
  std::vector<int32_t> reader_;
  std::vector<Seconds> clock_;
  std::vector<int32_t> before_;  // by kernel; -1: stays
  std::string axis_;
  double rate_ = 0;
};

}  // namespace

void IssueGathersAhead(Program& program, const Target& target) {
  GatherScheduler(program, target).Run();
}

}  // namespace tilewise
