// Candidates of the whole space at random, the user's own setting first.

#include <algorithm>
#include <random>
#include <utility>

#include "tuner/strategy.h"

namespace tilewise {
namespace {

constexpr size_t kDrawnAtOnce = 16;

class Random : public Strategy {
 public:
  explicit Random(const Space& space) {
    for (int32_t setting = 0; setting < space.settings(); ++setting) {
      for (const int64_t batch : space.Ladder(setting)) {
        order_.push_back({.setting = setting,
                          .batch_per_core = batch,
                          .bounds_suffice = !space.IsOwn(setting, batch)});
      }
    }
    // std::shuffle would not do: the standard leaves its order open.
    std::mt19937_64 engine(space.search().seed);
    for (size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[engine() % i]);
    std::stable_partition(order_.begin(), order_.end(), [&](const Candidate& candidate) {
      return space.IsOwn(candidate.setting, candidate.batch_per_core);
    });
    const auto most = static_cast<size_t>(space.search().most_trials);
    is_complete_ = order_.size() <= most;
    if (!is_complete_) order_.resize(most);
  }

  std::vector<Candidate> Ask() override {
    const size_t count = std::min(kDrawnAtOnce, order_.size() - next_);
    const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(next_);
    next_ += count;
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

  void Tell(std::span<const Result>) override {}
  bool is_complete() const override { return is_complete_; }

 private:
  std::vector<Candidate> order_;
  size_t next_ = 0;
  bool is_complete_ = false;
};

}  // namespace

StrategyInfo RandomStrategy() {
  return {.name = "random", .help = "some at random", .make = MakeStrategy<Random>};
}

}  // namespace tilewise
