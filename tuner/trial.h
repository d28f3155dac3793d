// Runs one candidate on the simulator.

#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "sim/simulate.h"
#include "tuner/tuner.h"

namespace tilewise {

// A batch size lowered and simulated; the loop around it is cheap to vary.
struct BatchTrial {
  Trial trial;        // without the loop
  Timeline timeline;  // of one step
};

// Errors: those of Lower. Out of memory is a result (trial.fits == false).
absl::StatusOr<BatchTrial> TryBatch(const Workload& workload,
                                    int64_t batch_per_core,
                                    const Target& target,
                                    const LowerOptions& options);

// The same with the host loop at `steps_per_execution`.
Trial WithLoop(const BatchTrial& batch, const Workload& workload,
               int64_t steps_per_execution, const SearchSpace& space,
               const Target& target);

// Examples per second over a whole epoch where its length is known, else in
// the steady state: what the tuner maximises.
double Throughput(const Trial& trial);

}  // namespace tilewise
