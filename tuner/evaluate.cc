// A candidate is lowered once; its estimate tells whether it is worth simulating.

#include "tuner/evaluate.h"

#include <algorithm>
#include <optional>

namespace tilewise {
namespace {

// A larger number of steps per execution costs nothing but callbacks that come late.
constexpr double kCloseEnoughExecution = 0.998;
// The longest step that is worth simulating is known to this power of a half.
constexpr int kHalvings = 12;

absl::StatusOr<StepTotals> StepOf(const Space& space, int32_t setting, int64_t batch_per_core,
                                  StepLimits limits = {}) {
  Change change = space.setting(setting).edit;
  change.batch_per_core = batch_per_core;
  const Change* const changes[] = {&change};
  return space.session(setting).StepWith(changes, limits);
}

// What each core holds of the weights, in parts as small as the mesh has them:
// a step needs more.
Bytes LeastMemory(const SearchSetting& setting) {
  Bytes weights;
  for (const Op& op : setting.workload->graph->ops()) {
    if (op.kind == OpKind::kVariable && op.shape.is_static()) weights += op.shape.unpadded_bytes();
  }
  return {weights.value / setting.target.mesh.cores_per_copy()};
}

// Returns the trial of a setting whose weights alone do not fit.
std::optional<Trial> TooLarge(const Space& space, const Candidate& candidate) {
  const SearchSetting& setting = space.setting(candidate.setting);
  if (!candidate.bounds_suffice || setting.edit.edits_graph()) return std::nullopt;
  Trial trial;
  trial.hbm_peak = LeastMemory(setting);
  trial.peak_is_bound = true;
  trial.hbm_available = setting.target.chip.usable_hbm();
  if (trial.hbm_peak <= trial.hbm_available) return std::nullopt;
  trial.batch_per_core = candidate.batch_per_core;
  trial.global_batch = candidate.batch_per_core * setting.target.batch_shards();
  return trial;
}

// The pipeline that feeds the setting where it is not the workload's own.
std::optional<Pipeline> EditedPipeline(const Space& space, int32_t setting) {
  const Change& edit = space.setting(setting).edit;
  const Pipeline* pipeline = space.session(setting).workload().training_pipeline();
  if (!edit.pipeline || pipeline == nullptr) return std::nullopt;
  Pipeline edited = *pipeline;
  edit.pipeline(edited);
  return edited;
}

class Loops {
 public:
  Loops(const Space& space, int32_t setting, const StepTotals& step)
      : space_(space), setting_(setting), step_(step), pipeline_(EditedPipeline(space, setting)) {}

  Trial With(int64_t steps_per_execution) const {
    return Rated(space_, setting_,
                 WithLoop(space_.session(setting_), step_, steps_per_execution,
                          pipeline_ ? &*pipeline_ : nullptr));
  }

 private:
  const Space& space_;
  const int32_t setting_;
  const StepTotals& step_;
  const std::optional<Pipeline> pipeline_;
};

// Returns the most that the candidate can score with a step of the device that takes so long:
// either the fewest or the most steps per execution take the host least.
double BestScore(const Space& space, const Candidate& candidate, const Loops& loops) {
  const SearchSetting& setting = space.setting(candidate.setting);
  const int64_t examples = candidate.batch_per_core * setting.target.batch_shards();
  const std::vector<int64_t> ladder = space.Executions(candidate.setting, examples);
  const auto score = [&](int64_t steps_per_execution) {
    return Score(loops.With(steps_per_execution), setting.target, space.search().objective);
  };
  return std::max(score(ladder.front()), score(ladder.back()));
}

// The step of the device that is to be beaten, with the host's work on top; no less.
Seconds LongestStep(const Space& space, const Candidate& candidate) {
  if (candidate.to_beat <= 0) return kAnyTime;
  Trial trial;
  trial.pruned = true;
  const Target& target = space.setting(candidate.setting).target;
  trial.global_batch = candidate.batch_per_core * target.batch_shards();
  trial.device_step = Seconds{1};
  StepTotals step;
  step.batch_per_core = candidate.batch_per_core;
  const Loops loops(space, candidate.setting, step);
  const auto beats = [&](Seconds device_step) {
    step.timeline.step = device_step;
    return BestScore(space, candidate, loops) >= candidate.to_beat;
  };
  Seconds least;
  if (!beats(least)) return least;
  Seconds most{Score(trial, target, space.search().objective) / candidate.to_beat};
  for (int i = 0; i < kHalvings; ++i) {
    const Seconds between = (least + most) / 2;
    (beats(between) ? least : most) = between;
  }
  return most;
}

int64_t PointsOf(const Space& space, const Trial& trial) {
  return static_cast<int64_t>(space.Executions(trial.setting, trial.global_batch).size());
}

// The fewest steps per execution that reach nearly the best rate. The host's work
// per step falls with them, so the step of the longest execution bounds the rate
// of all, and what comes near to it ends the search.
void ChooseExecution(const Space& space, const StepTotals& step, bool tries_all, Result& result) {
  const int32_t setting = result.trial.setting;
  const std::vector<int64_t> ladder = space.Executions(setting, result.trial.global_batch);
  result.points = static_cast<int64_t>(ladder.size());
  const Loops loops(space, setting, step);
  Trial longest = loops.With(ladder.back());
  const double bound = static_cast<double>(longest.global_batch) / longest.loop.step.value;
  double best = Throughput(longest);
  std::vector<Trial> trials;
  for (size_t i = 0; i + 1 < ladder.size(); ++i) {
    trials.push_back(loops.With(ladder[i]));
    best = std::max(best, Throughput(trials.back()));
    if (!tries_all && Throughput(trials.back()) >= kCloseEnoughExecution * bound) break;
  }
  trials.push_back(std::move(longest));
  result.simulated = static_cast<int64_t>(trials.size());
  for (Trial& trial : trials) {
    if (Throughput(trial) < kCloseEnoughExecution * best) continue;
    result.trial = std::move(trial);
    return;
  }
}

}  // namespace

Trial Rated(const Space& space, int32_t setting, Trial trial) {
  const SearchSpace& search = space.search();
  std::optional<ErrorRange> range;
  if (search.memory_range) {
    range = search.memory_range(trial.loops_over_layers, space.setting(setting).target.chip.name);
  }
  trial.setting = setting;
  trial.certainty = FitCertainty(trial.hbm_peak, trial.hbm_available, trial.roomy_part, range,
                                 trial.peak_without_barriers);
  const bool is_unknown = trial.fits && trial.peak_is_bound;
  if (is_unknown) trial.certainty = 0;
  trial.sure = trial.fits && !is_unknown && trial.certainty >= search.certainty;
  trial.allowed = trial.global_batch <= space.bounds(setting).chosen;
  return trial;
}

Result Evaluate(const Space& space, const Candidate& candidate) {
  Result result;
  if (std::optional<Trial> too_large = TooLarge(space, candidate)) {
    result.trial = Rated(space, candidate.setting, *std::move(too_large));
    result.points = PointsOf(space, result.trial);
    return result;
  }
  const absl::StatusOr<StepTotals> step = StepOf(
      space, candidate.setting, candidate.batch_per_core,
      {.longest = LongestStep(space, candidate), .bounds_suffice = candidate.bounds_suffice});
  if (!step.ok()) {
    result.error = Message(step.status());
    return result;
  }
  result.trial =
      Rated(space, candidate.setting, WithoutLoop(space.session(candidate.setting), *step));
  if (IsSimulated(result.trial)) {
    ChooseExecution(space, *step, candidate.tries_all, result);
  } else {
    result.points = PointsOf(space, result.trial);
    if (!step->is_bound) result.simulated = 1;
  }
  return result;
}

absl::StatusOr<std::vector<Trial>> LoopsAround(const Space& space, const Trial& trial) {
  TW_ASSIGN_OR_RETURN(const StepTotals step, StepOf(space, trial.setting, trial.batch_per_core));
  const Loops loops(space, trial.setting, step);
  std::vector<Trial> trials;
  for (const int64_t steps : space.Executions(trial.setting, trial.global_batch)) {
    trials.push_back(loops.With(steps));
  }
  return trials;
}

absl::StatusOr<Trial> OwnTrial(const Space& space) {
  const Session& session = space.own();
  TW_ASSIGN_OR_RETURN(const StepTotals step, session.StepAt(session.batch_per_core()));
  return Rated(space, space.own_setting(), WithLoop(session, step, session.steps_per_execution()));
}

}  // namespace tilewise
