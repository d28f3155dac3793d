// A model lowered and simulated at one batch size.

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/error_range.h"
#include "estimator/estimate.h"
#include "hardware/target.h"
#include "sim/lowering/largest_buffers.h"
#include "sim/lowering/program.h"
#include "sim/timeline.h"

namespace tilewise {

struct Simulated {
  Program program;
  Timeline timeline;
  Estimate estimate;
  // Indices into program.kernels, ascending, by the op of the forward graph
  // they were made for.
  std::vector<std::vector<KernelId>> kernels_of;
  std::vector<KernelSpan> spans;  // by kernel

  std::span<const KernelId> KernelsOf(OpId source_op) const;
};
// `source_ops`: how many ops the forward graph has.
Simulated Simulate(Program program, const Target& target, int32_t source_ops);

// A step in short: what is kept of the many that a search or a fix asks for.
struct StepTotals {
  Timeline timeline;  // without its spans
  int64_t batch_per_core = 0;
  Bytes peak, available;             // of HBM, per core
  Bytes peak_without_barriers;       // see Memory
  std::vector<LargeBuffer> largest;  // at the peak: three, largest first
  bool loops_over_layers = false;
  std::optional<double> roomy_part;  // see Memory
  // It was not simulated, as its estimate is longer than was asked for: the
  // step's time is that estimate, a lower bound.
  bool is_bound = false;
  // Its buffers were not placed: the peak is a lower bound, too.
  bool peak_is_bound = false;
  bool fits() const { return peak <= available; }
};

inline constexpr Seconds kAnyTime{std::numeric_limits<double>::infinity()};

// What a caller needs of a step. One that takes longer than `longest` need not be simulated to its
// end; where bounds suffice, it gives bounds of time and HBM, as does one that does not fit.
struct StepLimits {
  Seconds longest = kAnyTime;
  bool bounds_suffice = false;
};

enum class MemoryVerdict : uint8_t { kFits, kTooClose, kDoesNotFit };

// Whether a step fits only because values end early or kernels run again.
bool IsMadeToFit(std::optional<double> roomy_part);
// Returns the share of published programs like this one that would fit, from
// where measured peaks lie around simulated ones; without a range, as
// simulated. A step that is made to fit is as sure as published ones of that
// kind. One that fits only if barriers stay, of which nothing is known, does or
// does not.
double FitCertainty(Bytes peak, Bytes available, std::optional<double> roomy_part,
                    const std::optional<ErrorRange>& range, Bytes peak_without_barriers = {});
// Fewer than two in three agree where it is too close to tell.
MemoryVerdict VerdictOf(double fit_certainty);
StepTotals TotalsOf(const Program& program, Timeline timeline);
inline StepTotals TotalsOf(const Simulated& step) { return TotalsOf(step.program, step.timeline); }

}  // namespace tilewise
