// Splits the simulated step and each of its kernels into what the time was
// spent on.

#include "base/check.h"
#include "report/layer_name.h"
#include "report/report.h"

namespace tilewise {

void AddLosses(const Graph& source, const Target& target, Report& report) {
  TW_CHECK(report.program && report.timeline);
  const Program& program = *report.program;
  report.split = SplitStep(program, *report.timeline, target.chip);
  if (report.loop) report.split = SplitWallStep(*report.split, *report.loop);
  report.kernels.clear();
  for (const KernelSpan& span : report.timeline->spans) {
    const Kernel& kernel = program.kernels[span.kernel];
    report.kernels.push_back({.name = kernel.name,
                              .layer = LayerName(kernel, source),
                              .kind = kernel.kind,
                              .phase = kernel.phase,
                              .start = span.start,
                              .duration = span.duration,
                              .overlapped = kernel.overlappable,
                              .bound = span.bound,
                              .split = SplitKernel(kernel, span, target.chip),
                              .roofline = RooflineOf(kernel, span, target.chip)});
  }
}

}  // namespace tilewise
