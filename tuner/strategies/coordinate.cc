// One knob after the other: the batches of the best setting so far, then all
// values of a knob at its best batch, until no knob helps any more.

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "tuner/strategy.h"

namespace tilewise {
namespace {

class Coordinate : public Strategy {
 public:
  explicit Coordinate(const Space& space) : space_(space) { StartClimb(0); }

  std::vector<Candidate> Ask() override {
    asked_.clear();
    while (asked_.empty() && tried() < space_.search().most_trials) {
      if (climb_) {
        AskClimb();
        if (!asked_.empty()) break;
        climb_.reset();
      }
      if (!AskNextKnob()) break;
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
      if (climb_) climb_->Tell(result);
      Learn(result);
    }
    if (!climb_) MoveToBest();
  }

  bool is_complete() const override { return false; }

 private:
  int64_t tried() const { return static_cast<int64_t>(done_.size()); }

  void StartClimb(int32_t setting) {
    setting_ = setting;
    climb_.emplace(space_, setting, Climb::Habits{});
  }

  void AskClimb() {
    for (const int64_t batch : climb_->Ask(2)) {
      asked_.push_back({.setting = setting_,
                        .batch_per_core = batch,
                        .bounds_suffice = !space_.IsOwn(setting_, batch)});
    }
  }

  // Asks for all settings that differ from the best in this knob alone, at its
  // batch.
  bool AskNextKnob() {
    const size_t knobs = space_.values_of(0).size();
    while (asked_.empty() && unchanged_ < knobs) {
      const size_t knob = knob_;
      knob_ = (knob_ + 1) % knobs;
      ++unchanged_;
      for (int32_t other = 0; other < space_.settings(); ++other) {
        if (!DiffersInOne(other, knob)) continue;
        if (done_.contains({other, batch_})) continue;
        asked_.push_back({.setting = other,
                          .batch_per_core = batch_,
                          .bounds_suffice = !space_.IsOwn(other, batch_)});
      }
    }
    return !asked_.empty();
  }

  bool DiffersInOne(int32_t other, size_t knob) const {
    const std::vector<int32_t>& ours = space_.values_of(setting_);
    const std::vector<int32_t>& theirs = space_.values_of(other);
    for (size_t i = 0; i < ours.size(); ++i) {
      if ((ours[i] != theirs[i]) != (i == knob)) return false;
    }
    return true;
  }

  void Learn(const Result& result) {
    if (!result.error.empty()) return;
    const double merit = MeritOf(space_, result);
    if (merit <= best_merit_) return;
    best_merit_ = merit;
    best_ = result.trial;
  }

  void MoveToBest() {
    if (!best_) return;
    batch_ = best_->batch_per_core;
    if (best_->setting == setting_) return;
    unchanged_ = 0;
    StartClimb(best_->setting);
  }

  const Space& space_;
  std::optional<Climb> climb_;
  int32_t setting_ = 0;
  int64_t batch_ = 0;
  size_t knob_ = 0;
  size_t unchanged_ = 0;  // knobs since the best has changed
  std::optional<Trial> best_;
  double best_merit_ = -std::numeric_limits<double>::infinity();
  std::set<std::pair<int32_t, int64_t>> done_;
  std::vector<Candidate> asked_;
};

}  // namespace

StrategyInfo CoordinateStrategy() {
  return {
      .name = "coordinate", .help = "one knob after the other", .make = MakeStrategy<Coordinate>};
}

}  // namespace tilewise
