// Searches batch size x steps_per_execution on the simulator: climbs the batch
// ladder until memory ends it, then chooses the smallest batch within 1 % of
// the best throughput, because a smaller batch converges in fewer examples.
// More steps per execution cost nothing of the kind, so there 0.2 % is worth
// taking.

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/math.h"
#include "tuner/candidates.h"
#include "tuner/explain.h"
#include "tuner/trial.h"
#include "tuner/tuner.h"

namespace tilewise {
namespace {

constexpr double kCloseEnoughBatch = 0.99;
constexpr double kCloseEnoughExecution = 0.998;
// Once this many batches in a row do not fit, larger ones will not either.
constexpr int kFailuresToStop = 2;

// The first trial that reaches `share` of the best throughput; null when none
// may be chosen.
const Trial* SmallestGoodEnough(const std::vector<Trial>& trials,
                                double share) {
  double best = 0;
  for (const Trial& trial : trials) {
    if (trial.fits && trial.allowed) best = std::max(best, Throughput(trial));
  }
  for (const Trial& trial : trials) {
    if (trial.fits && trial.allowed && Throughput(trial) >= share * best) {
      return &trial;
    }
  }
  return nullptr;
}

std::optional<int64_t> StepsPerEpoch(const SearchSpace& space,
                                     int64_t global_batch) {
  if (space.steps_per_epoch) return space.steps_per_epoch;
  if (!space.examples_per_epoch) return std::nullopt;
  return std::max<int64_t>(1, *space.examples_per_epoch / global_batch);
}

class Tuner {
 public:
  Tuner(const Workload& workload, const SearchSpace& space,
        const Target& target, const LowerOptions& options)
      : workload_(workload),
        space_(space),
        target_(target),
        options_(options) {}

  absl::StatusOr<Tuning> Run(const Progress& progress) {
    const BatchBounds bounds = BoundBatch(space_, target_.batch_shards());
    Tuning tuning;
    tuning.constraints = bounds.constraints;
    ConstrainExecutions(tuning);
    TW_ASSIGN_OR_RETURN(const std::vector<int64_t> ladder, Ladder(bounds));
    int failures = 0;
    for (size_t i = 0; i < ladder.size(); ++i) {
      if (progress) {
        progress(static_cast<int64_t>(i), static_cast<int64_t>(ladder.size()));
      }
      const bool own = current_per_core_ == ladder[i];
      if (failures >= kFailuresToStop && !own) continue;
      TW_ASSIGN_OR_RETURN(const BatchTrial batch, Try(ladder[i]));
      failures = batch.trial.fits ? 0 : failures + 1;
      AddToCurve(batch, bounds, tuning);
      if (own) AddCurrent(batch, tuning);
    }
    Choose(tuning);
    return tuning;
  }

 private:
  absl::StatusOr<std::vector<int64_t>> Ladder(const BatchBounds& bounds) {
    if (space_.current_global_batch) {
      current_per_core_ =
          CeilDiv(*space_.current_global_batch, target_.batch_shards());
    }
    if (!space_.batch_per_core.empty()) return space_.batch_per_core;
    std::vector<int64_t> ladder =
        BatchLadder(bounds, target_.batch_shards(), current_per_core_);
    const int64_t parts = options_.spec.accumulation_steps;
    KeepMultiples(ladder, parts);
    TW_ASSIGN_OR_RETURN(const BatchTrial smallest, Try(ladder.front()));
    if (!smallest.trial.fits) AddSmaller(ladder);
    KeepMultiples(ladder, parts);
    return ladder;
  }

  // The last batch that was tried is not simulated again.
  absl::StatusOr<BatchTrial> Try(int64_t per_core) {
    if (!last_ || last_->first != per_core) {
      TW_ASSIGN_OR_RETURN(BatchTrial batch,
                          TryBatch(workload_, per_core, target_, options_));
      last_.emplace(per_core, std::move(batch));
    }
    return last_->second;
  }

  // A callback that acts on single batches sees only every N-th one, and the
  // TF 1 loop has no such setting.
  void ConstrainExecutions(Tuning& tuning) {
    if (workload_.host_loop.framework == Framework::kKerasTf1) {
      single_step_ = true;
      tuning.constraints.push_back(
          "one step per execution: keras_to_tpu_model has no "
          "steps_per_execution (TF 2 has)");
    }
    for (const Callback& callback : workload_.host_loop.callbacks) {
      if (!callback.per_batch) continue;
      single_step_ = true;
      tuning.constraints.push_back(fmt::format(
          "steps_per_execution stays 1: {} at {} acts on batches and would run "
          "N times less often",
          callback.name, FormatLocation(callback.location)));
      return;
    }
  }

  std::vector<Trial> Executions(const BatchTrial& batch) const {
    std::vector<int64_t> ladder = space_.steps_per_execution;
    if (ladder.empty()) {
      ladder = ExecutionLadder(StepsPerEpoch(space_, batch.trial.global_batch));
    }
    if (single_step_) ladder = {1};
    std::vector<Trial> trials;
    trials.reserve(ladder.size());
    for (const int64_t steps : ladder) {
      trials.push_back(WithLoop(batch, workload_, steps, space_, target_));
    }
    return trials;
  }

  void AddToCurve(const BatchTrial& batch, const BatchBounds& bounds,
                  Tuning& tuning) {
    if (!batch.trial.fits) {
      tuning.curve.push_back(batch.trial);
      return;
    }
    std::vector<Trial> executions = Executions(batch);
    Trial best = *SmallestGoodEnough(executions, kCloseEnoughExecution);
    best.allowed = best.global_batch <= bounds.chosen;
    tuning.curve.push_back(std::move(best));
    all_executions_.push_back(std::move(executions));
  }

  void AddCurrent(const BatchTrial& batch, Tuning& tuning) const {
    tuning.current = WithLoop(
        batch, workload_, space_.current_steps_per_execution, space_, target_);
  }

  void Choose(Tuning& tuning) const {
    const Trial* best = SmallestGoodEnough(tuning.curve, kCloseEnoughBatch);
    if (best != nullptr) tuning.best = *best;
    if (tuning.best) {
      for (const std::vector<Trial>& executions : all_executions_) {
        if (executions.front().batch_per_core == tuning.best->batch_per_core) {
          tuning.executions = executions;
        }
      }
    }
    tuning.why = ExplainChoice(tuning);
    if (tuning.best && space_.current_global_batch) {
      tuning.learning_rate =
          ExplainLearningRate(*space_.current_global_batch,
                              tuning.best->global_batch, options_.spec);
    }
  }

  const Workload& workload_;
  const SearchSpace& space_;
  const Target& target_;
  const LowerOptions& options_;
  std::optional<int64_t> current_per_core_;
  std::optional<std::pair<int64_t, BatchTrial>> last_;  // by batch per core
  bool single_step_ = false;
  // By batch, for the ladder at the chosen one.
  std::vector<std::vector<Trial>> all_executions_;
};

}  // namespace

absl::StatusOr<Tuning> Tune(const Workload& workload, const SearchSpace& space,
                            const Target& target, const LowerOptions& options,
                            const Progress& progress) {
  if (!workload.graph) {
    return absl::FailedPreconditionError(
        "nothing to tune: the files hold no model that could be read");
  }
  return Tuner(workload, space, target, options).Run(progress);
}

}  // namespace tilewise
