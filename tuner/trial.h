// Runs one candidate on the simulator.

#pragma once

#include <cstdint>

#include "session/session.h"
#include "tuner/tuner.h"

namespace tilewise {

// A step with the host loop at `steps_per_execution`.
Trial WithLoop(const Session& session, const StepTotals& step, int64_t steps_per_execution);
// The step alone: of a batch that does not fit.
Trial WithoutLoop(const Session& session, const StepTotals& step);

// Examples per second over a whole epoch where its length is known, else in
// the steady state: what the tuner maximises.
double Throughput(const Trial& trial);

}  // namespace tilewise
