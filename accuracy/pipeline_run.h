// A published input pipeline, set up to be simulated.

#pragma once

#include <cstdint>
#include <optional>

#include "base/units.h"
#include "hardware/host.h"
#include "pipeline/pipeline.h"
#include "sim/stage_cost.h"

namespace tilewise {

struct PipelineRun {
  Pipeline pipeline;
  Host host;
  int64_t batch = 1;  // items that a step takes
  CacheState caches = CacheState::kWarm;
  Seconds device;    // of a step, during which asynchronous stages work ahead
  Seconds consumer;  // of the loop that takes each element that leaves the pipeline
  // This time passes before the first item in a run over so many items (0: a run that does not
  // end).
  Seconds start;
  double items = 0;
};

// The time of a step in the steady state; of a run that ends, with its share of the
// start.
Seconds TimePipeline(const PipelineRun& run);

// A run and, for a figure that is a ratio, the one that it is held against.
struct PipelineComparison {
  PipelineRun run;
  std::optional<PipelineRun> baseline;
};

}  // namespace tilewise
