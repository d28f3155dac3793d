// Runs one candidate on the simulator.

#include "tuner/trial.h"

#include <algorithm>

namespace tilewise {

Trial WithoutLoop(const Session& session, const StepTotals& step) {
  Trial trial;
  trial.batch_per_core = step.batch_per_core;
  trial.global_batch = step.batch_per_core == session.batch_per_core()
                           ? session.global_batch()
                           : step.batch_per_core * session.target().batch_shards();
  trial.fits = step.fits();
  trial.hbm_peak = step.peak;
  trial.hbm_available = step.available;
  trial.largest = step.largest;
  trial.device_step = step.timeline.step;
  trial.aligned = step.batch_per_core % session.target().chip.sublanes == 0;
  return trial;
}

Trial WithLoop(const Session& session, const StepTotals& step, int64_t steps_per_execution) {
  Trial trial = WithoutLoop(session, step);
  trial.steps_per_execution = steps_per_execution;
  trial.loop = session.Loop(step.timeline, trial.global_batch, steps_per_execution);
  trial.examples_per_epoch = trial.loop.steps_per_epoch * trial.global_batch;
  if (session.examples_per_epoch() && !session.steps_per_epoch()) {
    trial.examples_per_epoch = std::min(trial.examples_per_epoch, *session.examples_per_epoch());
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
