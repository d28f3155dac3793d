// The parts of a kernel are taken from its time one after the other, each at
// most what the ones before it left, so that they add up whatever they are.

#include "sim/loss_split.h"

#include <algorithm>

#include "sim/lowering/kernels/unit_time.h"

namespace tilewise {
namespace {

// What is left of a span of time as its parts are taken from it.
class Remainder {
 public:
  explicit Remainder(Seconds all) : left_(all) {}
  Seconds Take(Seconds part) {
    const Seconds taken = std::clamp(part, Seconds{}, std::max(left_, {}));
    left_ -= taken;
    return taken;
  }
  Seconds TakeRest() { return Take(left_); }

 private:
  Seconds left_;
};

// The same work if weight tiles were latched in no time.
Seconds TimeWithoutLatch(const MatrixWork& work, const Chip& chip) {
  Chip latched = chip;
  latched.latch_cycles = 0;
  return MatrixTime(work, latched);
}

// The MXU's busy time: useful work, passes, padding, latch; what the MXU's
// achieved share of peak costs goes to its fills and drains.
void SplitMatrix(const Kernel& kernel, const KernelSpan& span, const Chip& chip, Remainder& left,
                 LossSplit& split) {
  if (span.mxu_busy <= Seconds{}) return;
  Remainder busy(left.Take(span.mxu_busy));
  split.useful = busy.Take(span.mxu_useful);
  const auto passes = static_cast<double>(kernel.matrix.passes);
  split.passes = busy.Take(span.mxu_useful * (passes - 1));
  const Seconds once = MatrixTime(kernel.matrix, chip);
  if (once > Seconds{}) {
    const double times = span.mxu_busy / once;
    const Seconds without = TimeWithoutLatch(kernel.matrix, chip);
    split.weight_latch = busy.Take((once - without) * times);
    split.fill_drain = busy.Take(without * times * (1 - chip.matmul_efficiency));
  }
  split.padding = busy.TakeRest();
}

}  // namespace

Seconds LossSplit::total() const {
  Seconds sum;
  for (const LossPart& part : kLossParts) sum += this->*part.seconds;
  return sum;
}

LossSplit& LossSplit::operator+=(const LossSplit& other) {
  for (const LossPart& part : kLossParts) {
    this->*part.seconds += other.*part.seconds;
  }
  return *this;
}

const LossPart& LargestLoss(const LossSplit& split) {
  return *std::max_element(
      kLossParts.begin() + 1, kLossParts.end(),
      [&](const LossPart& a, const LossPart& b) { return split.*a.seconds < split.*b.seconds; });
}

LossSplit SplitKernel(const Kernel& kernel, const KernelSpan& span, const Chip& chip) {
  LossSplit split;
  if (kernel.kind == KernelKind::kCollective) {
    split.collective = span.duration;
    return split;
  }
  if (kernel.kind == KernelKind::kHostCopy) {
    split.host = span.duration;
    return split;
  }
  Remainder left(span.duration);
  split.overhead = left.Take(span.overhead);
  split.overhead += left.Take(span.window_overhead);
  split.prologue_epilogue = left.Take(span.exposed_ends);
  split.memory_stall = left.Take(span.exposed_memory - span.exposed_ends - span.window_overhead);
  const Seconds fill = left.Take(span.fill);
  SplitMatrix(kernel, span, chip, left, split);
  split.fill_drain += fill;
  split.vector = left.TakeRest();
  return split;
}

LossSplit SplitStep(const Program& program, const Timeline& timeline, const Chip& chip) {
  LossSplit split;
  Seconds core;  // accounted for until then
  for (const KernelSpan& span : timeline.spans) {
    const Kernel& kernel = program.kernels[span.kernel];
    if (kernel.overlappable) continue;
    split.collective += span.start - core - span.host_wait;
    split.host += span.host_wait;
    split += SplitKernel(kernel, span, chip);
    core = span.start + span.duration;
  }
  // Copies to the host may be left alone at the end, when all else is done.
  const Seconds at_end = timeline.exposed_host_copy - split.host;
  split.host += at_end;
  split.collective += timeline.step - core - at_end;
  return split;
}

LossSplit SplitWallStep(const LossSplit& device, const LoopTimeline& loop) {
  LossSplit split = device;
  split.host += loop.exposed_host;
  return split;
}

Roofline RooflineOf(const Kernel& kernel, const KernelSpan& span, const Chip& chip) {
  const auto trips = static_cast<double>(kernel.repeat);
  const double flops = kernel.matrix.useful_flops * trips;
  const auto traffic = static_cast<double>((kernel.from_hbm() + kernel.to_hbm()).value) * trips;
  Roofline roofline;
  roofline.attainable = flops > 0 ? chip.peak_flops() * kernel.matrix.rate : 0;
  if (traffic > 0) {
    roofline.intensity = flops / traffic;
    roofline.attainable =
        std::min(roofline.attainable, roofline.intensity * chip.hbm_bandwidth.value);
  }
  if (span.duration > Seconds{}) {
    roofline.achieved = flops / span.duration.value;
    roofline.hbm_share = traffic / span.duration.value / chip.hbm_bandwidth.value;
  }
  return roofline;
}

}  // namespace tilewise
