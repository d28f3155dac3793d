// One step on the device: kernels one after another in issue order. A
// collective that may overlap starts when it is issued and its links are free;
// the first kernel that reads its result waits for it, and so does the end of
// the step. One that the core waits for goes first: those on the same links end
// later by as much, as packets of both share them. Copies to and from host
// memory do the same on their link, each way for itself. A gather in pieces is
// not waited for, but what is made of its result is there after its last piece.
// All take HBM bandwidth from the kernels beside them. A trip of a loop over
// layers begins when all that belongs to the one before has ended. Not
// modelled: loads of a kernel that start before the kernel before it has ended.

#include <algorithm>

#include "sim/collective.h"
#include "sim/contention.h"
#include "sim/kernel_time.h"
#include "sim/simulate.h"

namespace tilewise {
namespace {

// When each value that is made beside the kernels is there.
class Arrivals {
 public:
  explicit Arrivals(int64_t values)
      : when_(static_cast<size_t>(values), Seconds{}) {}

  void Set(const std::vector<OpId>& values, Seconds when) {
    for (const OpId value : values) {
      if (value < 0) continue;
      Grow(value);
      when_[static_cast<size_t>(value)] = when;
    }
  }
  Seconds Latest(const std::vector<OpId>& values) {
    Seconds latest;
    for (const OpId value : values) {
      if (value < 0) continue;
      Grow(value);
      latest = std::max(latest, when_[static_cast<size_t>(value)]);
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
  span.duration =
      (kernel.hbm_read + kernel.hbm_write) / chip.host_link + chip.dma_latency;
  span.bound = Bound::kHostLink;
  return span;
}

// The host's link, free from when on each way.
struct HostLink {
  Seconds to_host, from_host;

  Seconds& WayOf(const Kernel& copy) {
    return copy.goes_to_host() ? to_host : from_host;
  }
};

// Exchanges beside the kernels that have not ended.
class UnderWay {
 public:
  explicit UnderWay(const Program& program) : program_(program) {}

  void Add(size_t span) { spans_.push_back(span); }

  // Makes room for `first`, which starts now, and calls `moved` for each that
  // ends later.
  template <typename Moved>
  void LetFirst(const KernelSpan& first, Interconnect& interconnect,
                std::vector<KernelSpan>& spans, const Moved& moved) {
    std::erase_if(spans_, [&](size_t i) {
      return spans[i].start + spans[i].duration <= first.start;
    });
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
  const Kernel& kernel(const KernelSpan& span) const {
    return program_.kernels[static_cast<size_t>(span.kernel)];
  }

  const Program& program_;
  std::vector<size_t> spans_;  // of the timeline, in issue order
};

// The trip of a loop over layers that the step is at, and when what runs beside
// its kernels has ended.
class Trip {
 public:
  // Goes on to the trip of `kernel` if that is another.
  bool EndsBefore(const Kernel& kernel) {
    if (kernel.trip == 0 || kernel.trip == number_) return false;
    number_ = kernel.trip;
    return true;
  }
  void Await(const Kernel& beside, Seconds end) {
    if (beside.trip == 0) return;
    Seconds& last = beside.kind == KernelKind::kHostCopy ? copies_ : exchanges_;
    last = std::max(last, end);
  }
  // These move `core_free` on, and return by how much.
  Seconds WaitForExchanges(Seconds& core_free) const {
    return MoveTo(exchanges_, core_free);
  }
  Seconds WaitForCopies(Seconds& core_free) const {
    return MoveTo(copies_, core_free);
  }

 private:
  static Seconds MoveTo(Seconds end, Seconds& core_free) {
    const Seconds wait = std::max(end - core_free, Seconds{});
    core_free += wait;
    return wait;
  }

  int32_t number_ = 0;
  Seconds exchanges_, copies_;
};

void AddToTotals(const Kernel& kernel, const KernelSpan& span,
                 Timeline& timeline) {
  timeline.mxu_busy += span.mxu_busy;
  timeline.vector_busy += span.vector_busy;
  timeline.dma_busy += span.dma_busy;
  if (kernel.kind == KernelKind::kCollective) {
    timeline.collective += span.duration;
  }
  timeline.useful_flops +=
      kernel.matrix.useful_flops * static_cast<double>(kernel.repeat);
}

}  // namespace

Timeline SimulateStep(const Program& program, const Target& target) {
  const Chip& chip = target.chip;
  Timeline timeline;
  timeline.spans.reserve(program.kernels.size());
  const auto values = static_cast<int64_t>(program.layouts.size());
  Arrivals exchanged(values);
  Arrivals fetched(values);    // from host memory
  Arrivals in_pieces(values);  // the last of them
  Seconds core_free;
  HostLink host_link;
  Seconds mxu_useful;
  Contention contention(chip);
  Interconnect interconnect(target);
  UnderWay under_way(program);
  const auto arrivals_of = [&](const Kernel& kernel) -> Arrivals& {
    if (kernel.kind == KernelKind::kHostCopy) return fetched;
    return kernel.in_pieces ? in_pieces : exchanged;
  };
  Trip trip;
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    const Kernel& kernel = program.kernels[i];
    if (trip.EndsBefore(kernel)) {
      timeline.exposed_collective += trip.WaitForExchanges(core_free);
      timeline.exposed_host_copy += trip.WaitForCopies(core_free);
    }
    const bool collective = kernel.kind == KernelKind::kCollective;
    const bool host_copy = kernel.kind == KernelKind::kHostCopy;
    KernelSpan span = collective  ? interconnect.Time(kernel)
                      : host_copy ? TimeHostCopy(kernel, chip)
                                  : TimeKernel(kernel, chip);
    span.kernel = static_cast<int32_t>(i);
    const Seconds last_piece = in_pieces.Latest(kernel.inputs);
    span.start = std::max(core_free, exchanged.Latest(kernel.inputs));
    if (collective) span.start = std::max(span.start, last_piece);
    if (collective && kernel.overlappable) {
      span.start = std::max(span.start, interconnect.FreeFor(kernel));
    }
    const Seconds ready = span.start;
    span.start = std::max(span.start, fetched.Latest(kernel.inputs));
    if (host_copy) span.start = std::max(span.start, host_link.WayOf(kernel));
    if (!collective && !host_copy) contention.Slow(span);
    const Seconds end = span.start + span.duration;
    if (host_copy) host_link.WayOf(kernel) = end;
    if (collective && !kernel.overlappable) {
      under_way.LetFirst(span, interconnect, timeline.spans,
                         [&](const Kernel& later, Seconds its_end) {
                           arrivals_of(later).Set(later.outputs, its_end);
                           trip.Await(later, its_end);
                         });
    }
    if (kernel.overlappable) {
      if (collective) {
        interconnect.Hold(kernel, end);
        under_way.Add(i);
      }
      contention.Add(span.start, end, TrafficBeside(kernel));
      arrivals_of(kernel).Set(kernel.outputs, end);
      trip.Await(kernel, end);
    } else {
      // Products are through with all pieces, other kernels hand them on.
      if (last_piece > end) {
        (kernel.matrix.weight_tiles > 0 ? exchanged : in_pieces)
            .Set(kernel.outputs, last_piece);
      }
      span.host_wait = span.start - ready;
      timeline.exposed_host_copy += span.host_wait;
      if (host_copy) timeline.exposed_host_copy += span.duration;
      timeline.exposed_collective +=
          (collective ? end : span.start) - span.host_wait - core_free;
      core_free = end;
    }
    AddToTotals(kernel, span, timeline);
    mxu_useful += span.mxu_useful;
    timeline.spans.push_back(span);
  }
  const Seconds without_host = std::max(core_free, interconnect.all_free());
  timeline.step =
      std::max({without_host, host_link.to_host, host_link.from_host});
  timeline.exposed_collective += without_host - core_free;
  timeline.exposed_host_copy += timeline.step - without_host;
  if (timeline.step > Seconds{}) {
    timeline.mxu_use = mxu_useful / timeline.step;
  }
  return timeline;
}

}  // namespace tilewise
