// Asks a strategy for candidates, tells it what came of them, and chooses.

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/check.h"
#include "tuner/choose.h"
#include "tuner/round.h"
#include "tuner/space.h"
#include "tuner/strategy.h"
#include "tuner/tuner.h"

namespace tilewise {
namespace {

absl::StatusOr<const StrategyInfo*> StrategyOf(const SearchSpace& search) {
  const StrategyInfo* strategy = FindStrategy(search.strategy);
  if (strategy != nullptr) return strategy;
  return InvalidInput(
      fmt::format("--strategy: found '{}', expected one of those that there are", search.strategy));
}

class TuningRun {
 public:
  TuningRun(const Space& space, const StrategyInfo& strategy)
      : space_(space), strategy_(strategy.make(space)) {
    tuning_.constraints = space.constraints();
    tuning_.certainty = space.search().certainty;
    tuning_.margin = space.search().margin;
    tuning_.objective = space.search().objective;
    tuning_.effort.settings = space.settings();
    tuning_.effort.complete = strategy_->is_complete();
    for (int32_t i = 0; i < space.settings(); ++i) {
      expected_ += static_cast<int64_t>(space.Ladder(i).size());
    }
  }

  absl::StatusOr<Tuning> Run(const Progress& progress, const Helpers& helpers) {
    for (;;) {
      if (progress) progress(std::min(tuning_.effort.candidates, expected_), expected_);
      const std::vector<Candidate> asked = strategy_->Ask();
      if (asked.empty()) break;
      TW_ASSIGN_OR_RETURN(const std::vector<Result> results,
                          EvaluateAll(space_, asked, helpers.log, helpers.executor));
      for (const Result& result : results) TW_RETURN_IF_ERROR(Note(result));
      strategy_->Tell(results);
    }
    if (trials_.empty()) return InvalidInput(error_);
    if (space_.has_own_batch()) {
      TW_ASSIGN_OR_RETURN(tuning_.current, OwnTrial(space_));
    }
    TW_RETURN_IF_ERROR(ChooseOfWhole(helpers));
    if (tuning_.current && tuning_.best) {
      tuning_.cheaper = ExpenseOf(space_.setting(space_.own_setting()).target) /
                        ExpenseOf(space_.setting(tuning_.best->setting).target);
    }
    Explain();
    return std::move(tuning_);
  }

 private:
  // A setting that cannot be lowered is left out; the user's own is an error.
  absl::Status Note(const Result& result) {
    Effort& effort = tuning_.effort;
    ++effort.candidates;
    effort.points += result.points;
    effort.simulated += result.simulated;
    effort.recalled += result.recalled ? 1 : 0;
    if (!result.error.empty()) {
      if (space_.settings() == 1) return InvalidInput(result.error);
      if (error_.empty()) error_ = result.error;
      return absl::OkStatus();
    }
    effort.pruned += result.trial.pruned ? 1 : 0;
    trials_.push_back(result.trial);
    return absl::OkStatus();
  }

  // Chooses, and again while the choice or its curve rest on peaks that are bounds alone.
  absl::Status ChooseOfWhole(const Helpers& helpers) {
    for (;;) {
      TW_RETURN_IF_ERROR(Choose(space_, trials_, tuning_));
      std::vector<Candidate> asked;
      for (const Trial& trial : trials_) {
        if (IsToBeKnown(trial)) asked.push_back({trial.setting, trial.batch_per_core});
      }
      if (asked.empty()) return absl::OkStatus();
      TW_ASSIGN_OR_RETURN(const std::vector<Result> results,
                          EvaluateAll(space_, asked, helpers.log, helpers.executor));
      for (const Result& result : results) {
        if (!result.error.empty()) return InvalidInput(result.error);
        Replace(result);
      }
    }
  }

  // Rows of the curve that is shown, and larger batches that a smaller one may be as sure as.
  bool IsToBeKnown(const Trial& trial) const {
    if (!trial.peak_is_bound) return false;
    const bool is_shown = std::ranges::any_of(
        tuning_.curve, [&](const Trial& shown) { return shown.setting == trial.setting; });
    if (is_shown) return true;
    return trial.fits && std::ranges::any_of(trials_, [&](const Trial& smaller) {
             return smaller.setting == trial.setting &&
                    smaller.batch_per_core < trial.batch_per_core && IsUnsure(smaller);
           });
  }

  void Replace(const Result& result) {
    const auto same = std::ranges::find_if(trials_, [&](const Trial& trial) {
      return trial.setting == result.trial.setting &&
             trial.batch_per_core == result.trial.batch_per_core;
    });
    TW_CHECK(same != trials_.end());
    tuning_.effort.pruned -= same->pruned ? 1 : 0;
    tuning_.effort.simulated += result.simulated;
    *same = result.trial;
  }

  // Money for an hour of a machine; 1 where its chip has no price.
  double ExpenseOf(const Target& target) const {
    const auto& prices = space_.search().objective.price;
    const auto price = prices.find(target.chip.name);
    if (price == prices.end()) return 1;
    return price->second * static_cast<double>(ChipsOf(target));
  }

  void Explain() {
    tuning_.why = ExplainChoice(tuning_);
    if (!tuning_.best) return;
    const Session& own = space_.own();
    if (space_.has_own_batch() && own.facts().training) {
      tuning_.learning_rate =
          ExplainLearningRate(own.global_batch(), tuning_.best->global_batch, own.spec());
    }
    const double use = tuning_.best->loop.mxu_use;
    if (!strategy_->is_complete() && use > 0) tuning_.effort.untried_at_most = 1 / use;
  }

  const Space& space_;
  const std::unique_ptr<Strategy> strategy_;
  int64_t expected_ = 0;
  std::vector<Trial> trials_;
  std::string error_;
  Tuning tuning_;
};

}  // namespace

double Score(const Trial& trial, const Target& target, const Objective& objective) {
  switch (objective.kind) {
    case Objective::Kind::kThroughput:
      return Throughput(trial);
    case Objective::Kind::kCost: {
      const auto price = objective.price.find(target.chip.name);
      if (price == objective.price.end()) return 0;
      return Throughput(trial) / (price->second * static_cast<double>(ChipsOf(target)));
    }
    case Objective::Kind::kLatency:
      return 1 / (trial.pruned ? trial.device_step : trial.loop.step).value;
  }
  return 0;
}

absl::StatusOr<Tuning> Tune(const Session& session, const SearchSpace& space,
                            const Progress& progress, const Helpers& helpers) {
  if (!session.workload().graph) {
    return absl::FailedPreconditionError(
        "nothing to tune: the files hold no model that could be read");
  }
  TW_ASSIGN_OR_RETURN(const StrategyInfo* strategy, StrategyOf(space));
  TW_ASSIGN_OR_RETURN(const std::unique_ptr<const Space> settings, Space::Make(session, space));
  return TuningRun(*settings, *strategy).Run(progress, helpers);
}

}  // namespace tilewise
