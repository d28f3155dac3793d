// Searches batch size x steps_per_execution on the simulator: climbs the batch
// ladder until memory ends it, then chooses the smallest batch within 1 % of
// the best throughput of those that are sure to fit, because a smaller batch
// converges in fewer examples.
// More steps per execution cost nothing of the kind, so there 0.2 % is worth
// taking.

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/math.h"
#include "tuner/candidates.h"
#include "tuner/tuner.h"

namespace tilewise {
namespace {

// What the device waits for most, and what shortens it.
std::string HostLimit(const LoopTimeline& loop) {
  if (loop.transfer >= loop.input && loop.transfer >= loop.dispatch) {
    return fmt::format(
        "mostly for the transfer ({}): send smaller items, uint8 rather than float32",
        FormatSeconds(loop.transfer));
  }
  if (loop.input >= loop.dispatch) {
    return fmt::format("mostly for the input pipeline ({})", FormatSeconds(loop.input));
  }
  return fmt::format("mostly for the host's own work per step ({})", FormatSeconds(loop.dispatch));
}

std::string Limit(const Trial& best, const Tuning& tuning) {
  const LoopTimeline& loop = best.loop;
  const double waiting = loop.exposed_host / loop.step;
  if (waiting > 0.2) {
    return fmt::format("the device still waits {} of each step, {}", FormatPercent(waiting),
                       HostLimit(loop));
  }
  for (const Trial& trial : tuning.curve) {
    if (trial.batch_per_core <= best.batch_per_core || (trial.fits && trial.sure)) continue;
    const std::string certainty =
        trial.fits ? fmt::format(", which fits with {} certainty", FormatPercent(trial.certainty))
                   : "";
    return fmt::format("{} per core would need {} of {} HBM{}", FormatCount(trial.batch_per_core),
                       FormatBytes(trial.hbm_peak), FormatBytes(trial.hbm_available), certainty);
  }
  return "the device is the limit and larger batches fill it no better";
}

constexpr double kCloseEnoughBatch = 0.99;
constexpr double kCloseEnoughExecution = 0.998;
constexpr double kWorthARisk = 1.02;
// Once this many batches in a row do not fit, larger ones will not either.
constexpr int kFailuresToStop = 2;
// Batches are tried in steps of this part of the last one that is sure to fit.
constexpr int64_t kPartsOfLimit = 4;

bool MayBeChosen(const Trial& trial) { return trial.fits && trial.allowed; }
bool IsSure(const Trial& trial) { return MayBeChosen(trial) && trial.sure; }
bool IsUnsure(const Trial& trial) { return MayBeChosen(trial) && !trial.sure; }

// The first of those that `may` be chosen which reaches `share` of their best
// throughput; null when there is none.
const Trial* SmallestGoodEnough(const std::vector<Trial>& trials, double share,
                                bool (*may)(const Trial&)) {
  double best = 0;
  for (const Trial& trial : trials) {
    if (may(trial)) best = std::max(best, Throughput(trial));
  }
  for (const Trial& trial : trials) {
    if (may(trial) && Throughput(trial) >= share * best) return &trial;
  }
  return nullptr;
}

// The first of the trials that fit with the highest certainty.
const Trial* Surest(const std::vector<Trial>& trials) {
  const Trial* surest = nullptr;
  for (const Trial& trial : trials) {
    if (!MayBeChosen(trial)) continue;
    if (surest == nullptr || trial.certainty > surest->certainty) surest = &trial;
  }
  return surest;
}

std::optional<int64_t> StepsPerEpoch(const Session& session, int64_t global_batch) {
  if (session.steps_per_epoch()) return session.steps_per_epoch();
  if (!session.examples_per_epoch()) return std::nullopt;
  return std::max<int64_t>(1, *session.examples_per_epoch() / global_batch);
}

class Tuner {
 public:
  Tuner(const Session& session, const SearchSpace& space)
      : session_(session),
        host_loop_(session.workload().host_loop),
        space_(space),
        own_batch_(!session.batch_assumed()) {}

  absl::StatusOr<Tuning> Run(const Progress& progress) {
    const BatchBounds bounds =
        BoundBatch(space_.max_global_batch, session_.examples_per_epoch(), shards());
    Tuning tuning;
    tuning.constraints = bounds.constraints;
    tuning.certainty = space_.certainty;
    ConstrainExecutions(tuning);
    TW_ASSIGN_OR_RETURN(const std::vector<int64_t> ladder, Ladder(bounds));
    int failures = 0;
    for (size_t i = 0; i < ladder.size(); ++i) {
      if (progress) {
        progress(static_cast<int64_t>(i), static_cast<int64_t>(ladder.size()));
      }
      const bool own = own_batch_ && session_.batch_per_core() == ladder[i];
      if (failures >= kFailuresToStop && !own) continue;
      TW_ASSIGN_OR_RETURN(const StepTotals step, session_.StepAt(ladder[i]));
      failures = step.fits() ? 0 : failures + 1;
      AddToCurve(step, bounds, tuning);
      if (own) {
        tuning.current = Rated(WithLoop(session_, step, session_.steps_per_execution()));
      }
    }
    TW_RETURN_IF_ERROR(RefineLimit(bounds, tuning));
    Choose(tuning);
    return tuning;
  }

 private:
  int64_t shards() const { return session_.target().batch_shards(); }

  absl::StatusOr<std::vector<int64_t>> Ladder(const BatchBounds& bounds) {
    if (!space_.batch_per_core.empty()) return space_.batch_per_core;
    std::vector<int64_t> ladder = BatchLadder(
        bounds, shards(), own_batch_ ? std::optional(session_.batch_per_core()) : std::nullopt);
    const int64_t parts = session_.spec().accumulation_steps;
    KeepMultiples(ladder, parts);
    TW_ASSIGN_OR_RETURN(const StepTotals smallest, session_.StepAt(ladder.front()));
    if (!Rated(WithoutLoop(session_, smallest)).sure) AddSmaller(ladder);
    KeepMultiples(ladder, parts);
    return ladder;
  }

  // A callback that acts on single batches sees only every N-th one, and the
  // TF 1 loop has no such setting.
  void ConstrainExecutions(Tuning& tuning) {
    if (host_loop_.framework == Framework::kKerasTf1) {
      single_step_ = true;
      tuning.constraints.push_back(
          "one step per execution: keras_to_tpu_model has no steps_per_execution (TF 2 has)");
    }
    for (const Callback& callback : host_loop_.callbacks) {
      if (!callback.per_batch) continue;
      single_step_ = true;
      tuning.constraints.push_back(
          fmt::format("steps_per_execution stays 1: {} at {} acts on batches and would run "
                      "N times less often",
                      callback.name, FormatLocation(callback.location)));
      return;
    }
  }

  std::vector<Trial> Executions(const StepTotals& step) const {
    std::vector<int64_t> ladder = space_.steps_per_execution;
    if (ladder.empty()) {
      ladder = ExecutionLadder(StepsPerEpoch(session_, step.batch_per_core * shards()));
    }
    if (single_step_) ladder = {1};
    std::vector<Trial> trials;
    trials.reserve(ladder.size());
    for (const int64_t steps : ladder) {
      trials.push_back(WithLoop(session_, step, steps));
    }
    return trials;
  }

  // With how sure it is to fit.
  Trial Rated(Trial trial) const {
    trial.certainty =
        FitCertainty(trial.hbm_peak, trial.hbm_available, trial.roomy_part, space_.memory_range);
    trial.sure = trial.fits && trial.certainty >= space_.certainty;
    return trial;
  }

  void AddToCurve(const StepTotals& step, const BatchBounds& bounds, Tuning& tuning) {
    if (!step.fits()) {
      tuning.curve.push_back(Rated(WithoutLoop(session_, step)));
      return;
    }
    std::vector<Trial> executions = Executions(step);
    Trial best = Rated(*SmallestGoodEnough(executions, kCloseEnoughExecution, MayBeChosen));
    best.allowed = best.global_batch <= bounds.chosen;
    tuning.curve.push_back(std::move(best));
    all_executions_.push_back(std::move(executions));
  }

  // Where memory ends the ladder, batches between the last that is sure to fit
  // and the next, in steps of a quarter of the first.
  absl::Status RefineLimit(const BatchBounds& bounds, Tuning& tuning) {
    if (!space_.batch_per_core.empty()) return absl::OkStatus();
    const auto unsure = std::find_if(tuning.curve.begin(), tuning.curve.end(),
                                     [](const Trial& trial) { return !trial.sure; });
    if (unsure == tuning.curve.begin() || unsure == tuning.curve.end()) return absl::OkStatus();
    const int64_t last = std::prev(unsure)->batch_per_core;
    const Trial* best = SmallestGoodEnough(tuning.curve, kCloseEnoughBatch, IsSure);
    if (best == nullptr || best->batch_per_core != last) return absl::OkStatus();
    if (unsure->fits && Throughput(*unsure) * kCloseEnoughBatch <= Throughput(*best)) {
      return absl::OkStatus();
    }
    const int64_t next = unsure->batch_per_core;
    const int64_t parts = session_.spec().accumulation_steps;
    const int64_t stride = std::max<int64_t>(1, last / kPartsOfLimit);
    for (int64_t batch = last + stride; batch < next; batch += stride) {
      if (batch % parts != 0) continue;
      TW_ASSIGN_OR_RETURN(const StepTotals step, session_.StepAt(batch));
      AddToCurve(step, bounds, tuning);
      if (!tuning.curve.back().sure) break;
    }
    std::sort(tuning.curve.begin(), tuning.curve.end(),
              [](const Trial& a, const Trial& b) { return a.batch_per_core < b.batch_per_core; });
    return absl::OkStatus();
  }

  void Choose(Tuning& tuning) const {
    const Trial* best = SmallestGoodEnough(tuning.curve, kCloseEnoughBatch, IsSure);
    if (best == nullptr) best = Surest(tuning.curve);
    if (best != nullptr) tuning.best = *best;
    if (tuning.best) {
      const Trial* gamble = SmallestGoodEnough(tuning.curve, kCloseEnoughBatch, IsUnsure);
      if (gamble != nullptr && Throughput(*gamble) > kWorthARisk * Throughput(*best)) {
        tuning.gamble = *gamble;
      }
      for (const std::vector<Trial>& executions : all_executions_) {
        if (executions.front().batch_per_core == tuning.best->batch_per_core) {
          tuning.executions = executions;
        }
      }
    }
    tuning.why = ExplainChoice(tuning);
    if (tuning.best && own_batch_) {
      tuning.learning_rate =
          ExplainLearningRate(session_.global_batch(), tuning.best->global_batch, session_.spec());
    }
  }

  const Session& session_;
  const HostLoop& host_loop_;
  const SearchSpace& space_;
  const bool own_batch_;  // the user named one
  bool single_step_ = false;
  // By batch, for the ladder at the chosen one.
  std::vector<std::vector<Trial>> all_executions_;
};

}  // namespace

std::string ExplainChoice(const Tuning& tuning) {
  if (!tuning.best) {
    if (tuning.curve.empty()) return "no batch size satisfies the constraints";
    const Trial& least = tuning.curve.front();
    return fmt::format("no batch size fits: {} per core already needs {} of {}",
                       FormatCount(least.batch_per_core), FormatBytes(least.hbm_peak),
                       FormatBytes(least.hbm_available));
  }
  const Trial& best = *tuning.best;
  std::string gain;
  if (tuning.current && Throughput(*tuning.current) > 0) {
    const double ratio = Throughput(best) / Throughput(*tuning.current);
    gain =
        fmt::format("{:.2f}x the examples per second of the present {} x {}; ", ratio,
                    FormatCount(tuning.current->global_batch), tuning.current->steps_per_execution);
  }
  const std::string certainty = FormatPercent(tuning.certainty);
  if (!best.sure) {
    return fmt::format("{}no batch size is {} sure to fit the HBM: this one fits with {} certainty",
                       gain, certainty, FormatPercent(best.certainty));
  }
  if (tuning.gamble) {
    const Trial& gamble = *tuning.gamble;
    return fmt::format(
        "{}the fastest of the batches that are {} sure to fit; {} per core would be {:.0f} % "
        "faster, but needs {} of {} HBM, which fits with {} certainty",
        gain, certainty, FormatCount(gamble.batch_per_core),
        100 * (Throughput(gamble) / Throughput(best) - 1), FormatBytes(gamble.hbm_peak),
        FormatBytes(gamble.hbm_available), FormatPercent(gamble.certainty));
  }
  return fmt::format("{}larger allowed batches and more steps per execution gain under 1 %; {}",
                     gain, Limit(best, tuning));
}

std::string ExplainLearningRate(int64_t from, int64_t to, const TrainingSpec& spec) {
  if (from <= 0 || from == to) return "";
  const double ratio = static_cast<double>(to) / static_cast<double>(from);
  const std::string change = fmt::format("{} -> {} examples per step ({:.3g}x)", FormatCount(from),
                                         FormatCount(to), ratio);
  switch (spec.optimizer) {
    case OptimizerKind::kSgd:
    case OptimizerKind::kMomentum:
      // Goyal et al. 2017, arXiv 1706.02677: linear scaling with warm-up, held
      // up to batch 8,192 on ImageNet.
      return fmt::format(
          "{}: scale the learning rate by the same factor and warm up over the first epochs "
          "(linear rule, shown to hold to about 8,192 on ImageNet; beyond that use LARS)",
          change);
    case OptimizerKind::kLars:
    case OptimizerKind::kLamb:
      // You et al. 2019, arXiv 1904.00962: square-root scaling with warm-up.
      return fmt::format(
          "{}: scale the learning rate by the square root, {:.3g}x, with a longer warm-up", change,
          std::sqrt(ratio));
    case OptimizerKind::kRmsProp:
    case OptimizerKind::kRmsPropMomentum:
    case OptimizerKind::kAdam:
    case OptimizerKind::kAdamW:
    case OptimizerKind::kLion:
    case OptimizerKind::kAdagrad:
    case OptimizerKind::kAdadelta:
    case OptimizerKind::kAdamax:
    case OptimizerKind::kAdafactor:
    case OptimizerKind::kAdafactorMomentum:
      // Malladi et al. 2022, arXiv 2205.10287: square-root scaling rule for
      // adaptive optimizers.
      return fmt::format(
          "{}: scale the learning rate by about the square root, {:.3g}x (adaptive optimizers), "
          "and watch validation accuracy: fewer updates per epoch may need more epochs",
          change, std::sqrt(ratio));
  }
  return "";
}

Trial WithoutLoop(const Session& session, const StepTotals& step) {
  Trial trial;
  trial.batch_per_core = step.batch_per_core;
  trial.global_batch = step.batch_per_core == session.batch_per_core()
                           ? session.global_batch()
                           : step.batch_per_core * session.target().batch_shards();
  trial.fits = step.fits();
  trial.hbm_peak = step.peak;
  trial.hbm_available = step.available;
  trial.roomy_part = step.roomy_part;
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

absl::StatusOr<Tuning> Tune(const Session& session, const SearchSpace& space,
                            const Progress& progress) {
  if (!session.workload().graph) {
    return absl::FailedPreconditionError(
        "nothing to tune: the files hold no model that could be read");
  }
  return Tuner(session, space).Run(progress);
}

}  // namespace tilewise
