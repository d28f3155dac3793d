// One step on the device: kernels one after another in issue order. A
// collective that may overlap starts when it is issued and its links are free;
// the first kernel that reads its result waits for it, and so does the end of
// the step. One that the core waits for goes first: those on the same links end
// later by as much, as packets of both share them. Copies to and from host
// memory do the same on their link, each way for itself. A gather in pieces is
// not waited for, but what is made of its result is there after its last piece.
// All take HBM bandwidth from the kernels that they overlap. An iteration of a loop
// over layers begins when all that belongs to the one before has ended. Not
// modelled: loads of a kernel that start before the kernel before it has ended.

#include <algorithm>
#include <utility>

#include "sim/collective.h"
#include "sim/contention.h"
#include "sim/kernel_time.h"
#include "sim/simulate.h"

namespace tilewise {
namespace {

// Keeps when each value that is made while kernels run is there.
class Arrivals {
 public:
  explicit Arrivals(int64_t values) : when_(values, Seconds{}) {}

  void Set(const std::vector<OpId>& values, Seconds when) {
    for (const OpId value : values) {
      if (value < 0) continue;
      Grow(value);
      when_[value] = when;
    }
  }
  Seconds Latest(const std::vector<OpId>& values) {
    Seconds latest;
    for (const OpId value : values) {
      if (value < 0) continue;
      Grow(value);
      latest = std::max(latest, when_[value]);
    }
    return latest;
  }

 private:
  void Grow(OpId value) {
    const auto needed = static_cast<size_t>(value) + 1;
    if (when_.size() < needed) when_.resize(needed);
  }
  std::vector<Seconds> when_;
};

KernelSpan TimeHostCopy(const Kernel& kernel, const Chip& chip) {
  KernelSpan span;
  span.duration = (kernel.hbm_read + kernel.hbm_write) / chip.host_link + chip.dma_latency;
  span.bound = Bound::kHostLink;
  return span;
}

// The host's link, free from when on each way.
struct HostLink {
  Seconds to_host, from_host;

  Seconds& WayOf(const Kernel& copy) { return copy.goes_to_host() ? to_host : from_host; }
};

// Collectives that overlap kernels and have not ended.
class UnderWay {
 public:
  explicit UnderWay(const Program& program) : program_(program) {}

  void Add(size_t span) { spans_.push_back(span); }

  // Makes room for `first`, which starts now, and calls `moved` for each that
  // ends later.
  template <typename Moved>
  void LetFirst(const KernelSpan& first, Interconnect& interconnect, std::vector<KernelSpan>& spans,
                const Moved& moved) {
    std::erase_if(spans_,
                  [&](size_t i) { return spans[i].start + spans[i].duration <= first.start; });
    for (const size_t i : spans_) {
      KernelSpan& span = spans[i];
      if (!interconnect.Share(kernel(first), kernel(span))) continue;
      (span.start < first.start ? span.duration : span.start) += first.duration;
      const Seconds end = span.start + span.duration;
      interconnect.Hold(kernel(span), end);
      moved(kernel(span), end);
    }
    interconnect.Hold(kernel(first), first.start + first.duration);
  }

 private:
  const Kernel& kernel(const KernelSpan& span) const { return program_.kernels[span.kernel]; }

  const Program& program_;
  std::vector<size_t> spans_;  // of the timeline, in issue order
};

// The iteration of a loop over layers that the step is at, and when what runs
// beside its kernels has ended.
class Iteration {
 public:
  // Goes on to the iteration of `kernel` if that is another.
  bool EndsBefore(const Kernel& kernel) {
    if (kernel.iteration == 0 || kernel.iteration == number_) return false;
    number_ = kernel.iteration;
    return true;
  }
  void Await(const Kernel& beside, Seconds end) {
    if (beside.iteration == 0) return;
    Seconds& last = beside.kind == KernelKind::kHostCopy ? copies_ : collectives_;
    last = std::max(last, end);
  }
  // These move `core_free` on, and return by how much.
  Seconds WaitForCollectives(Seconds& core_free) const { return MoveTo(collectives_, core_free); }
  Seconds WaitForCopies(Seconds& core_free) const { return MoveTo(copies_, core_free); }

 private:
  static Seconds MoveTo(Seconds end, Seconds& core_free) {
    const Seconds wait = std::max(end - core_free, Seconds{});
    core_free += wait;
    return wait;
  }

  int32_t number_ = 0;
  Seconds collectives_, copies_;
};

void AddToTotals(const Kernel& kernel, const KernelSpan& span, Timeline& timeline) {
  timeline.mxu_busy += span.mxu_busy;
  timeline.vector_busy += span.vector_busy;
  timeline.dma_busy += span.dma_busy;
  if (kernel.kind == KernelKind::kCollective) {
    timeline.collective += span.duration;
  }
  timeline.useful_flops += kernel.matrix.useful_flops * static_cast<double>(kernel.repeat);
}

// The kernels in issue order, each as early as what it reads and where it runs
// let it.
class StepSimulation {
 public:
  StepSimulation(const Program& program, const Target& target)
      : program_(program),
        chip_(target.chip),
        received_(Values()),
        fetched_(Values()),
        in_pieces_(Values()),
        contention_(target.chip),
        interconnect_(target),
        under_way_(program) {}

  Timeline Run() {
    timeline_.spans.reserve(program_.kernels.size());
    for (size_t i = 0; i < program_.kernels.size(); ++i) Issue(i);
    return Ended();
  }

 private:
  int64_t Values() const { return static_cast<int64_t>(program_.layouts.size()); }

  static bool IsCollective(const Kernel& kernel) { return kernel.kind == KernelKind::kCollective; }
  static bool IsHostCopy(const Kernel& kernel) { return kernel.kind == KernelKind::kHostCopy; }

  Arrivals& ArrivalsOf(const Kernel& kernel) {
    if (IsHostCopy(kernel)) return fetched_;
    return kernel.in_pieces ? in_pieces_ : received_;
  }

  void Issue(size_t number) {
    const Kernel& kernel = program_.kernels[number];
    if (trip_.EndsBefore(kernel)) {
      timeline_.exposed_collective += trip_.WaitForCollectives(core_free_);
      timeline_.exposed_host_copy += trip_.WaitForCopies(core_free_);
    }
    KernelSpan span = Time(kernel);
    span.kernel = KernelId(number);
    const Seconds last_piece = in_pieces_.Latest(kernel.inputs);
    const Seconds ready = Ready(kernel, last_piece);
    span.start = std::max(ready, fetched_.Latest(kernel.inputs));
    if (IsHostCopy(kernel)) {
      span.start = std::max(span.start, host_link_.WayOf(kernel));
      host_link_.WayOf(kernel) = span.start + span.duration;
    } else if (!IsCollective(kernel)) {
      contention_.Slow(span);
    } else if (!kernel.overlappable) {
      LetFirst(span);
    }
    if (kernel.overlappable) {
      RunBeside(kernel, number, span);
    } else {
      RunOnCore(kernel, last_piece, ready, span);
    }
    AddToTotals(kernel, span, timeline_);
    mxu_useful_ += span.mxu_useful;
    timeline_.spans.push_back(span);
  }

  KernelSpan Time(const Kernel& kernel) {
    if (IsCollective(kernel)) return interconnect_.Time(kernel);
    return IsHostCopy(kernel) ? TimeHostCopy(kernel, chip_) : TimeKernel(kernel, chip_);
  }

  // Returns when the kernel could start, but for what comes from host memory.
  Seconds Ready(const Kernel& kernel, Seconds last_piece) {
    Seconds ready = std::max(core_free_, received_.Latest(kernel.inputs));
    if (!IsCollective(kernel)) return ready;
    ready = std::max(ready, last_piece);
    return kernel.overlappable ? std::max(ready, interconnect_.FreeFor(kernel)) : ready;
  }

  // What is under way on its axis gives way to a collective that the core waits
  // for.
  void LetFirst(const KernelSpan& span) {
    under_way_.LetFirst(span, interconnect_, timeline_.spans,
                        [&](const Kernel& later, Seconds its_end) {
                          ArrivalsOf(later).Set(later.outputs, its_end);
                          trip_.Await(later, its_end);
                        });
  }

  void RunBeside(const Kernel& kernel, size_t number, const KernelSpan& span) {
    const Seconds end = span.start + span.duration;
    if (IsCollective(kernel)) {
      interconnect_.Hold(kernel, end);
      under_way_.Add(number);
    }
    contention_.Add(span.start, end, TrafficBeside(kernel));
    ArrivalsOf(kernel).Set(kernel.outputs, end);
    trip_.Await(kernel, end);
  }

  void RunOnCore(const Kernel& kernel, Seconds last_piece, Seconds ready, KernelSpan& span) {
    const Seconds end = span.start + span.duration;
    // A matmul ends with the last piece of its operand; other kernels pass pieces on.
    if (last_piece > end) {
      (kernel.matrix.weight_tiles > 0 ? received_ : in_pieces_).Set(kernel.outputs, last_piece);
    }
    span.host_wait = span.start - ready;
    timeline_.exposed_host_copy += span.host_wait;
    if (IsHostCopy(kernel)) timeline_.exposed_host_copy += span.duration;
    timeline_.exposed_collective +=
        (IsCollective(kernel) ? end : span.start) - span.host_wait - core_free_;
    core_free_ = end;
  }

  Timeline Ended() {
    const Seconds without_host = std::max(core_free_, interconnect_.all_free());
    timeline_.step = std::max({without_host, host_link_.to_host, host_link_.from_host});
    timeline_.exposed_collective += without_host - core_free_;
    timeline_.exposed_host_copy += timeline_.step - without_host;
    if (timeline_.step > Seconds{}) {
      timeline_.mxu_use = mxu_useful_ / timeline_.step;
    }
    return std::move(timeline_);
  }

  const Program& program_;
  const Chip& chip_;
  Timeline timeline_;
  Arrivals received_;   // whole, from collectives
  Arrivals fetched_;    // from host memory
  Arrivals in_pieces_;  // the last of them
  Seconds core_free_;
  HostLink host_link_;
  Seconds mxu_useful_;
  Contention contention_;
  Interconnect interconnect_;
  UnderWay under_way_;
  Iteration trip_;
};

}  // namespace

Timeline SimulateStep(const Program& program, const Target& target) {
  return StepSimulation(program, target).Run();
}

std::string_view LongestPart(const Timeline& step) {
  const std::pair<std::string_view, Seconds> parts[] = {{"MXU", step.mxu_busy},
                                                        {"vector", step.vector_busy},
                                                        {"HBM", step.dma_busy},
                                                        {"collective", step.collective}};
  return std::max_element(std::begin(parts), std::end(parts),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace tilewise
