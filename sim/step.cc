// One step on the device: kernels one after another in issue order. A
// collective that may overlap starts when it is issued and the links are free;
// the first kernel that reads its result waits for it, and so does the end of
// the step. Copies to and from host memory do the same on their link, each way
// for itself. A gather in pieces is not waited for, but what is made of its
// result is there after its last piece. All take HBM bandwidth from the kernels
// beside them. Not modelled: loads of a kernel that start before the kernel
// before it has ended.

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

// What is free from when on.
struct Resources {
  Seconds core, links, to_host, from_host;

  // What a kernel holds beside or instead of the core; null for none.
  Seconds* Beside(const Kernel& kernel) {
    if (kernel.kind == KernelKind::kCollective) return &links;
    if (kernel.kind != KernelKind::kHostCopy) return nullptr;
    return kernel.hbm_read > Bytes{} ? &to_host : &from_host;
  }
  Seconds all() const { return std::max({core, links, to_host, from_host}); }
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
  Resources free;
  Seconds mxu_useful;
  Contention contention(chip);
  const Interconnect interconnect(target);
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    const Kernel& kernel = program.kernels[i];
    const bool collective = kernel.kind == KernelKind::kCollective;
    const bool host_copy = kernel.kind == KernelKind::kHostCopy;
    KernelSpan span = collective  ? interconnect.Time(kernel)
                      : host_copy ? TimeHostCopy(kernel, chip)
                                  : TimeKernel(kernel, chip);
    span.kernel = static_cast<int32_t>(i);
    Seconds* const beside = free.Beside(kernel);
    const Seconds last_piece = in_pieces.Latest(kernel.inputs);
    span.start = std::max(free.core, exchanged.Latest(kernel.inputs));
    if (collective) span.start = std::max({span.start, free.links, last_piece});
    const Seconds ready = span.start;
    span.start = std::max(span.start, fetched.Latest(kernel.inputs));
    if (host_copy) span.start = std::max(span.start, *beside);
    if (beside == nullptr) contention.Slow(span);
    const Seconds end = span.start + span.duration;
    if (beside != nullptr) *beside = end;
    if (kernel.overlappable) {
      contention.Add(span.start, end, TrafficBeside(kernel));
      Arrivals& arrivals = host_copy          ? fetched
                           : kernel.in_pieces ? in_pieces
                                              : exchanged;
      arrivals.Set(kernel.outputs, end);
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
          (collective ? end : span.start) - span.host_wait - free.core;
      free.core = end;
    }
    AddToTotals(kernel, span, timeline);
    mxu_useful += span.mxu_useful;
    timeline.spans.push_back(span);
  }
  timeline.step = free.all();
  const Seconds without_host = std::max(free.core, free.links);
  timeline.exposed_collective += without_host - free.core;
  timeline.exposed_host_copy += timeline.step - without_host;
  if (timeline.step > Seconds{}) {
    timeline.mxu_use = mxu_useful / timeline.step;
  }
  return timeline;
}

}  // namespace tilewise
