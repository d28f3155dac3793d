// Runs one candidate on the simulator.

#include "tuner/trial.h"

#include <algorithm>

#include "sim/lowering/largest_buffers.h"
#include "workload/example_size.h"

namespace tilewise {
absl::StatusOr<BatchTrial> TryBatch(const Workload& workload,
                                    int64_t batch_per_core,
                                    const Target& target,
                                    const LowerOptions& options) {
  TW_ASSIGN_OR_RETURN(const Program program,
                      Lower(*workload.graph, batch_per_core, target, options));
  BatchTrial result;
  result.timeline = SimulateStep(program, target);
  Trial& trial = result.trial;
  trial.batch_per_core = batch_per_core;
  trial.global_batch = batch_per_core * target.batch_shards();
  trial.fits = program.memory.fits();
  trial.hbm_peak = program.memory.peak;
  trial.hbm_available = program.memory.available;
  trial.largest = LargestBuffers(program);
  trial.device_step = result.timeline.step;
  trial.aligned = batch_per_core % target.chip.sublanes == 0;
  return result;
}

Trial WithLoop(const BatchTrial& batch, const Workload& workload,
               int64_t steps_per_execution, const SearchSpace& space,
               const Target& target) {
  LoopInput input;
  input.step = &batch.timeline;
  input.pipeline = workload.training_pipeline();
  input.framework = workload.host_loop.framework;
  input.global_batch = batch.trial.global_batch;
  input.steps_per_execution = steps_per_execution;
  input.examples_per_epoch = space.examples_per_epoch;
  input.steps_per_epoch = space.steps_per_epoch;
  input.bytes_per_example = BytesPerExample(workload);
  Trial trial = batch.trial;
  trial.steps_per_execution = steps_per_execution;
  trial.loop = SimulateLoop(input, target);
  trial.examples_per_epoch = trial.loop.steps_per_epoch * trial.global_batch;
  if (space.examples_per_epoch && !space.steps_per_epoch) {
    trial.examples_per_epoch =
        std::min(trial.examples_per_epoch, *space.examples_per_epoch);
  }
  return trial;
}

double Throughput(const Trial& trial) {
  const LoopTimeline& loop = trial.loop;
  if (trial.examples_per_epoch > 0 && loop.epoch.value > 0) {
    return static_cast<double>(trial.examples_per_epoch) / loop.epoch.value;
  }
  return loop.examples_per_second;
}

}  // namespace tilewise
