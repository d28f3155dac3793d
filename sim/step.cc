// One step on the device: kernels one after another in issue order. A
// collective that may overlap starts when it is issued and the links are free;
// the first kernel that reads its result waits for it, and so does the end of
// the step. Not modelled: what an overlapped collective takes from the HBM
// bandwidth of the kernels beside it, and loads of a kernel that start before
// the kernel before it has ended.

#include <algorithm>

#include "sim/collective.h"
#include "sim/kernel_time.h"
#include "sim/simulate.h"

namespace tilewise {
namespace {

// When each value that comes out of an overlapped collective is there.
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
  Arrivals arrivals(static_cast<int64_t>(program.layouts.size()));
  Seconds core;   // free from then on
  Seconds links;  // free from then on
  const Interconnect interconnect(target);
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    const Kernel& kernel = program.kernels[i];
    const bool collective = kernel.kind == KernelKind::kCollective;
    KernelSpan span =
        collective ? interconnect.Time(kernel) : TimeKernel(kernel, chip);
    span.kernel = static_cast<int32_t>(i);
    span.start = std::max(core, arrivals.Latest(kernel.inputs));
    if (collective) span.start = std::max(span.start, links);
    const Seconds end = span.start + span.duration;
    if (collective) links = end;
    if (kernel.overlappable) {
      arrivals.Set(kernel.outputs, end);
    } else {
      timeline.exposed_collective += (collective ? end : span.start) - core;
      core = end;
    }
    AddToTotals(kernel, span, timeline);
    timeline.spans.push_back(span);
  }
  timeline.step = std::max(core, links);
  timeline.exposed_collective += timeline.step - core;
  if (timeline.step > Seconds{}) {
    timeline.mxu_use =
        timeline.useful_flops / (timeline.step.value * chip.peak_flops());
  }
  return timeline;
}

}  // namespace tilewise
