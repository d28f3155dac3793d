// All settings, each up its batches as far as memory goes; what its estimate
// tells to be no better than the best so far is not simulated. The estimate is
// a lower bound of the step, so the choice is that of trying everything.

#include <algorithm>
#include <utility>

#include "tuner/strategy.h"

namespace tilewise {
namespace {

// Candidates at once: as many for any number of threads, so that what is known
// when a candidate is asked for does not depend on them.
constexpr int64_t kAtOnce = 64;
// Nobody waits for the others often where no result changes what is asked for.
constexpr int64_t kAtOnceOfAll = 4096;
// The curve of one setting that is as short as this is shown whole.
constexpr int64_t kShort = 24;

class Grid : public Strategy {
 public:
  Grid(const Space& space, bool tries_all)
      : space_(space), incumbents_(space), tries_all_(tries_all) {
    int64_t candidates = 0;
    for (int32_t i = 0; i < space.settings(); ++i) {
      climbs_.emplace_back(space, i, Climb::Habits{.stops = !tries_all});
      candidates += climbs_.back().left();
    }
    prunes_ = !tries_all && (space.settings() > 1 || candidates > kShort);
    TakeMachinesInTurn();
  }

  std::vector<Candidate> Ask() override {
    asked_.clear();
    const int64_t settings = space_.settings();
    const int64_t most = tries_all_ ? kAtOnceOfAll : kAtOnce;
    const int64_t each = tries_all_ ? kAtOnceOfAll : settings > 1 ? 1 : prunes_ ? 4 : 2;
    for (int64_t n = 0; n < settings && static_cast<int64_t>(asked_.size()) < most; ++n) {
      const int32_t setting = order_[next_];
      next_ = (next_ + 1) % order_.size();
      const bool wants_peaks = climbs_[setting].is_probing();
      for (const int64_t batch : climbs_[setting].Ask(each)) {
        const bool own = space_.IsOwn(setting, batch);
        asked_.push_back({.setting = setting,
                          .batch_per_core = batch,
                          .to_beat = prunes_ && !own ? incumbents_.ToBeat(setting) : 0,
                          .tries_all = tries_all_,
                          .bounds_suffice = prunes_ && !own && !wants_peaks});
      }
    }
    return asked_;
  }

  void Tell(std::span<const Result> results) override {
    for (size_t i = 0; i < results.size(); ++i) {
      climbs_[asked_[i].setting].Tell(results[i]);
      incumbents_.Tell(results[i]);
    }
  }

  bool is_complete() const override { return true; }

 private:
  // The first setting of each machine, then the second of each: what the first reaches is known
  // before most others are tried, and those that differ in the chip alone come together.
  void TakeMachinesInTurn() {
    std::vector<int32_t> count(space_.machines());
    std::vector<std::pair<int32_t, int32_t>> turns;  // with the setting
    for (int32_t i = 0; i < space_.settings(); ++i) {
      turns.emplace_back(count[space_.machine(i)]++, i);
    }
    std::ranges::sort(turns);
    for (const auto& [turn, setting] : turns) order_.push_back(setting);
  }

  const Space& space_;
  Incumbents incumbents_;
  const bool tries_all_;
  bool prunes_ = false;
  std::vector<Climb> climbs_;
  std::vector<int32_t> order_;  // of the settings
  size_t next_ = 0;             // in it
  std::vector<Candidate> asked_;
};

}  // namespace

StrategyInfo GridStrategy() {
  return {.name = "grid",
          .help = "everything, without what cannot be the best",
          .make = [](const Space& space) -> std::unique_ptr<Strategy> {
            return std::make_unique<Grid>(space, false);
          }};
}

StrategyInfo ExhaustiveStrategy() {
  return {.name = "exhaustive",
          .help = "everything, as a check of grid",
          .make = [](const Space& space) -> std::unique_ptr<Strategy> {
            return std::make_unique<Grid>(space, true);
          }};
}

}  // namespace tilewise
