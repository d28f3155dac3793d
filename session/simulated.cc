// A model lowered and simulated at one batch size.

#include "session/simulated.h"

#include <algorithm>
#include <utility>

#include "sim/simulate.h"

namespace tilewise {

Simulated Simulate(Program program, const Target& target, int32_t source_ops) {
  Simulated result;
  result.program = std::move(program);
  result.timeline = SimulateStep(result.program, target);
  result.estimate = EstimateProgram(result.program, target);
  result.kernels_of.resize(source_ops);
  for (size_t i = 0; i < result.program.kernels.size(); ++i) {
    const OpId origin = result.program.kernels[i].origin;
    if (origin == kNoOp || origin >= source_ops) continue;
    result.kernels_of[origin].push_back(KernelId(i));
  }
  result.spans.resize(result.program.kernels.size());
  for (const KernelSpan& span : result.timeline.spans) {
    result.spans[span.kernel] = span;
  }
  return result;
}

std::span<const KernelId> Simulated::KernelsOf(OpId source_op) const {
  if (source_op < 0 || source_op >= kernels_of.size()) return {};
  return kernels_of[source_op];
}

StepTotals TotalsOf(const Program& program, Timeline timeline) {
  StepTotals totals;
  totals.timeline = std::move(timeline);
  totals.timeline.spans.clear();
  totals.batch_per_core = program.batch_per_core;
  totals.peak = program.memory.peak;
  totals.available = program.memory.available;
  totals.peak_without_barriers = program.memory.without_barriers;
  totals.largest = LargestBuffers(program);
  totals.loops_over_layers = program.loops_over_layers();
  totals.roomy_part = program.memory.roomy_part();
  return totals;
}

bool IsMadeToFit(std::optional<double> roomy_part) { return roomy_part && *roomy_part >= 0; }

double FitCertainty(Bytes peak, Bytes available, std::optional<double> roomy_part,
                    const std::optional<ErrorRange>& range, Bytes peak_without_barriers) {
  constexpr double kEither = 0.5;
  if (peak_without_barriers > available) {
    return std::min(kEither, FitCertainty(peak, available, roomy_part, range));
  }
  if (!range || peak <= Bytes{}) return peak <= available ? 1 : 0;
  // The peak of a step that is made to fit is the limit, so that its size tells nothing.
  if (IsMadeToFit(roomy_part) && range->made_to_fit) return *range->made_to_fit;
  return range->ShareBelow(static_cast<double>(available.value) / static_cast<double>(peak.value));
}

MemoryVerdict VerdictOf(double fit_certainty) {
  if (fit_certainty >= 1 - ErrorRange::kThird) return MemoryVerdict::kFits;
  return fit_certainty < ErrorRange::kThird ? MemoryVerdict::kDoesNotFit : MemoryVerdict::kTooClose;
}

}  // namespace tilewise
