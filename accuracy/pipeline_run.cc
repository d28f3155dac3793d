// A loop asks for a batch, waits for what is in line, and works on it.

#include "accuracy/pipeline_run.h"

#include <algorithm>

#include "sim/input_time.h"

namespace tilewise {

Seconds TimePipeline(const PipelineRun& run) {
  const std::vector<StageCost> costs =
      CostStages(run.pipeline, run.batch, Bytes{1}, run.host, run.caches);
  const InputTime time = TimeInput(costs, run.pipeline, run.host, run.caches);
  const Seconds step =
      std::max(time.ahead, time.in_line + time.hand_over + run.device + run.consumer);
  if (run.items <= 0) return step;
  return step + run.start * (static_cast<double>(run.batch) / run.items);
}

}  // namespace tilewise
