// Successive halving: all settings at one batch, the better half of each machine
// at the batches around it, and so on, until one setting of each is left.

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "tuner/strategy.h"

namespace tilewise {
namespace {

class Halving : public Strategy {
 public:
  explicit Halving(const Space& space) : space_(space), left_(space.settings()) {
    std::iota(left_.begin(), left_.end(), 0);
    scores_.resize(left_.size(), 0);
  }

  std::vector<Candidate> Ask() override {
    asked_.clear();
    while (asked_.empty() && rung_ <= longest_ && tried() < space_.search().most_trials) {
      for (const int32_t setting : left_) AskRung(setting);
      if (asked_.empty()) ++rung_;
    }
    const auto room = static_cast<size_t>(space_.search().most_trials - tried());
    if (asked_.size() > room) asked_.resize(room);
    for (const Candidate& candidate : asked_) {
      done_.insert({candidate.setting, candidate.batch_per_core});
    }
    return asked_;
  }

  void Tell(std::span<const Result> results) override {
    for (const Result& result : results) {
      if (!result.error.empty() || !IsSure(result.trial)) continue;
      const int32_t setting = result.trial.setting;
      scores_[setting] =
          std::max(scores_[setting],
                   Score(result.trial, space_.setting(setting).target, space_.search().objective));
    }
    if (rung_ > 0) KeepBetterHalf();
    ++rung_;
  }

  bool is_complete() const override { return false; }

 private:
  int64_t tried() const { return static_cast<int64_t>(done_.size()); }

  // The middle of the ladder first, then the batches to its right and left.
  void AskRung(int32_t setting) {
    const std::vector<int64_t> ladder = space_.Ladder(setting);
    const auto size = static_cast<int64_t>(ladder.size());
    longest_ = std::max(longest_, size);
    const int64_t middle = size / 2;
    for (const int64_t at : {middle - rung_, middle + rung_}) {
      if (at < 0 || at >= size || done_.contains({setting, ladder[at]})) continue;
      if (std::ranges::any_of(asked_, [&](const Candidate& candidate) {
            return candidate.setting == setting && candidate.batch_per_core == ladder[at];
          })) {
        continue;
      }
      asked_.push_back({.setting = setting,
                        .batch_per_core = ladder[at],
                        .bounds_suffice = !space_.IsOwn(setting, ladder[at])});
    }
  }

  void KeepBetterHalf() {
    std::map<int32_t, std::vector<int32_t>> by_machine;
    for (const int32_t setting : left_) by_machine[space_.machine(setting)].push_back(setting);
    left_.clear();
    for (auto& [machine, settings] : by_machine) {
      std::ranges::stable_sort(settings, std::greater<>(),
                               [&](int32_t setting) { return scores_[setting]; });
      settings.resize((settings.size() + 1) / 2);
      left_.insert(left_.end(), settings.begin(), settings.end());
    }
    std::ranges::sort(left_);
  }

  const Space& space_;
  std::vector<int32_t> left_;
  std::vector<double> scores_;  // best of each setting
  int64_t rung_ = 0;
  int64_t longest_ = 0;  // ladder
  std::set<std::pair<int32_t, int64_t>> done_;
  std::vector<Candidate> asked_;
};

}  // namespace

StrategyInfo HalvingStrategy() {
  return {.name = "halving",
          .help = "all settings at one batch, the better half at more of them, and so on",
          .make = MakeStrategy<Halving>};
}

}  // namespace tilewise
