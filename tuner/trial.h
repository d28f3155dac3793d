// One candidate of a search and its result.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/units.h"
#include "session/session.h"
#include "sim/lowering/largest_buffers.h"
#include "sim/timeline.h"

namespace tilewise {

// Out of memory is a result.
struct Trial {
  int64_t batch_per_core = 0;
  int64_t global_batch = 0;
  int64_t steps_per_execution = 1;
  bool fits = false;     // as simulated
  double certainty = 1;  // share of published peaks like it that would fit
  Bytes hbm_peak, hbm_available;
  Bytes peak_without_barriers;       // see Memory
  bool peak_is_bound = false;        // a lower bound was enough
  std::optional<double> roomy_part;  // see Memory
  bool loops_over_layers = false;
  std::vector<LargeBuffer> largest;  // three, largest first
  Seconds device_step;
  // The estimate, a lower bound of the step, was enough to tell that it is not
  // the best: `device_step` is that bound, and there is no loop.
  bool pruned = false;
  LoopTimeline loop;
  int64_t examples_per_epoch = 0;  // that are trained on; 0: unknown
  bool aligned = false;            // batch per core is a multiple of the sublanes
  bool allowed = true;             // within the constraints; only such a one is chosen
  bool sure = true;                // fits with the certainty that was asked for
  int32_t setting = 0;             // of the space: which program on which machine
};

// A step with the host loop at `steps_per_execution`, fed by the workload's own
// pipeline or by another one.
Trial WithLoop(const Session& session, const StepTotals& step, int64_t steps_per_execution,
               const Pipeline* pipeline = nullptr);
// The step alone: of a batch that does not fit.
Trial WithoutLoop(const Session& session, const StepTotals& step);

// Less than a larger batch of its setting needs is at least as sure to fit: where the
// peak of the smaller one is above the simulated one, what the compiler makes again for
// the larger one is made again for it, too.
void LetSmallerBeAsSure(std::vector<Trial>& trials);

// Returns the examples per second over a whole epoch where its length is known, else in the steady
// state. A pruned trial has at most so many.
double Throughput(const Trial& trial);

inline bool IsSimulated(const Trial& trial) { return trial.fits && !trial.pruned; }

}  // namespace tilewise
