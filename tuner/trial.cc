// A step and the loop around it as one row of a curve.

#include "tuner/trial.h"

#include <algorithm>
#include <utility>

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
  trial.peak_is_bound = step.peak_is_bound;
  trial.peak_without_barriers = step.peak_without_barriers;
  trial.roomy_part = step.roomy_part;
  trial.loops_over_layers = step.loops_over_layers;
  trial.largest = step.largest;
  trial.pruned = step.is_bound && trial.fits;
  if (!step.is_bound || trial.pruned) trial.device_step = step.timeline.step;
  trial.aligned = step.batch_per_core % session.target().chip.sublanes == 0;
  return trial;
}

Trial WithLoop(const Session& session, const StepTotals& step, int64_t steps_per_execution,
               const Pipeline* pipeline) {
  Trial trial = WithoutLoop(session, step);
  trial.steps_per_execution = steps_per_execution;
  trial.loop = pipeline == nullptr
                   ? session.Loop(step.timeline, trial.global_batch, steps_per_execution)
                   : session.Loop(step.timeline, trial.global_batch, steps_per_execution, pipeline);
  trial.examples_per_epoch = trial.loop.steps_per_epoch * trial.global_batch;
  if (session.examples_per_epoch() && !session.steps_per_epoch()) {
    trial.examples_per_epoch = std::min(trial.examples_per_epoch, *session.examples_per_epoch());
  }
  return trial;
}

void LetSmallerBeAsSure(std::vector<Trial>& trials) {
  std::vector<Trial*> largest_first;
  largest_first.reserve(trials.size());
  for (Trial& trial : trials) largest_first.push_back(&trial);
  std::stable_sort(largest_first.begin(), largest_first.end(), [](const Trial* a, const Trial* b) {
    return std::pair(a->setting, -a->batch_per_core) < std::pair(b->setting, -b->batch_per_core);
  });
  const Trial* surest = nullptr;
  for (Trial* trial : largest_first) {
    if (surest != nullptr && surest->setting != trial->setting) surest = nullptr;
    if (surest != nullptr && trial->fits && surest->certainty > trial->certainty) {
      trial->certainty = surest->certainty;
      trial->sure = surest->sure;
    }
    if (trial->fits && (surest == nullptr || trial->certainty >= surest->certainty)) surest = trial;
  }
}

double Throughput(const Trial& trial) {
  if (trial.pruned) return static_cast<double>(trial.global_batch) / trial.device_step.value;
  const LoopTimeline& loop = trial.loop;
  if (trial.examples_per_epoch > 0 && loop.epoch.value > 0) {
    return static_cast<double>(trial.examples_per_epoch) / loop.epoch.value;
  }
  return loop.examples_per_second;
}

}  // namespace tilewise
