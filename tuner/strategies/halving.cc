// Successive halving: all settings at one batch, the better half of each machine
// at more of them, and so on, until one setting of each is left.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "tuner/strategy.h"

namespace tilewise {
namespace {

// The batches of one setting, one a round: up from the first of its ladder while they fit, or down
// from it until one does.
class Walk {
 public:
  Walk(const Space& space, int32_t setting) : ladder_(space.Ladder(setting)) {
    constexpr int64_t kMostRounds = 16;
    stride_ = (static_cast<int64_t>(ladder_.size()) + kMostRounds - 1) / kMostRounds;
    if (!space.chooses_batches()) return;
    const int64_t parts = space.setting(setting).options.spec->accumulation_steps;
    for (int64_t batch = ladder_.front() / 2; batch > 0 && batch % parts == 0; batch /= 2) {
      ladder_.insert(ladder_.begin(), batch);
      ++at_;
    }
  }

  bool has_ended() const { return at_ < 0 || at_ >= static_cast<int64_t>(ladder_.size()); }
  int64_t batch() const { return ladder_[at_]; }
  double merit() const { return merit_; }

  void Tell(double merit) {
    merit_ = std::max(merit_, merit);
    if (merit > 0) {
      fitted_ = true;
      at_ += stride_;
    } else {
      at_ = fitted_ ? static_cast<int64_t>(ladder_.size()) : at_ - 1;
    }
  }

 private:
  std::vector<int64_t> ladder_;
  int64_t stride_ = 1;
  int64_t at_ = 0;
  bool fitted_ = false;
  double merit_ = -std::numeric_limits<double>::infinity();
};

class Halving : public Strategy {
 public:
  // The search begins with every setting; where there are more of them than half of the trials, it
  // begins with some that lie at equal distances.
  explicit Halving(const Space& space) : space_(space) {
    const int64_t settings = space.settings();
    const int64_t first = std::clamp<int64_t>(space.search().most_trials / 2, 1, settings);
    for (int64_t i = 0; i < first; ++i) {
      const auto setting = static_cast<int32_t>(i * settings / first);
      walks_.emplace(setting, Walk(space, setting));
      left_.push_back(setting);
    }
  }

  std::vector<Candidate> Ask() override {
    asked_.clear();
    for (const int32_t setting : left_) {
      const Walk& walk = walks_.at(setting);
      if (walk.has_ended() || tried_ >= space_.search().most_trials) continue;
      ++tried_;
      asked_.push_back({.setting = setting,
                        .batch_per_core = walk.batch(),
                        .bounds_suffice = !space_.IsOwn(setting, walk.batch())});
    }
    return asked_;
  }

  void Tell(std::span<const Result> results) override {
    for (size_t i = 0; i < results.size(); ++i) {
      walks_.at(asked_[i].setting).Tell(MeritOf(space_, results[i]));
    }
    if (round_++ > 0) KeepBetterHalf();
  }

  bool is_complete() const override { return false; }

 private:
  void KeepBetterHalf() {
    std::map<int32_t, std::vector<int32_t>> by_machine;
    for (const int32_t setting : left_) by_machine[space_.machine(setting)].push_back(setting);
    left_.clear();
    for (auto& [machine, settings] : by_machine) {
      std::ranges::stable_sort(settings, std::greater<>(),
                               [&](int32_t setting) { return walks_.at(setting).merit(); });
      settings.resize((settings.size() + 1) / 2);
      left_.insert(left_.end(), settings.begin(), settings.end());
    }
    std::ranges::sort(left_);
  }

  const Space& space_;
  std::map<int32_t, Walk> walks_;
  std::vector<int32_t> left_;
  std::vector<Candidate> asked_;
  int64_t tried_ = 0;
  int64_t round_ = 0;
};

}  // namespace

StrategyInfo HalvingStrategy() {
  return {.name = "halving",
          .help = "all settings at one batch, the better half at more of them, and so on",
          .make = MakeStrategy<Halving>};
}

}  // namespace tilewise
