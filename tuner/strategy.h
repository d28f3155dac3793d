// Which candidates are tried next, from what is known of those before. Those of
// tuner/strategies have a line in tuner/strategies.def.

#pragma once

#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "tuner/evaluate.h"
#include "tuner/space.h"

namespace tilewise {

class Strategy {
 public:
  virtual ~Strategy() = default;
  // Candidates that may be evaluated at once; none: the search has ended.
  virtual std::vector<Candidate> Ask() = 0;
  // Their results, in the same order. Trials that failed have an error.
  virtual void Tell(std::span<const Result> results) = 0;
  // Whether every candidate of the space was tried, or told to be no better.
  virtual bool is_complete() const = 0;
};

struct StrategyInfo {
  std::string_view name;
  std::string_view help;
  std::unique_ptr<Strategy> (*make)(const Space& space);
};
template <class Made>
std::unique_ptr<Strategy> MakeStrategy(const Space& space) {
  return std::make_unique<Made>(space);
}
// Returns the strategies in the order of tuner/strategies.def.
std::span<const StrategyInfo> Strategies();
const StrategyInfo* FindStrategy(std::string_view name);

// A result may be recommended: it fits for sure, within the constraints.
inline bool IsSure(const Trial& trial) { return IsSimulated(trial) && trial.allowed && trial.sure; }
inline bool IsUnsure(const Trial& trial) {
  return IsSimulated(trial) && trial.allowed && !trial.sure;
}

// The part of the best score from which on a batch is as good.
inline double CloseEnough(const Space& space) { return 1 - space.search().margin; }

// What strategies without estimates go by: the score of what may be recommended; of other results,
// below 0, how far they are from fitting.
double MeritOf(const Space& space, const Result& result);

// The best score of each machine, which candidates on it have to come near to.
class Incumbents {
 public:
  explicit Incumbents(const Space& space) : space_(space), best_(space.machines(), 0) {}
  void Tell(const Result& result);
  // What a candidate of the setting has to reach to matter.
  double ToBeat(int32_t setting) const {
    return CloseEnough(space_) * best_[space_.machine(setting)];
  }

 private:
  const Space& space_;
  std::vector<double> best_;
};

// Climbs the batches of one setting until memory ends them, then tries those
// between the last that is sure to fit and the next. The last batch of a long
// list that fits is looked for by halves first, which also shows early what the
// others have to beat.
class Climb {
 public:
  struct Habits {
    bool stops = true;  // when memory has ended the ladder; else all are tried
  };
  Climb(const Space& space, int32_t setting, Habits habits);

  // Returns up to `most` batches to try next; none: the climb has ended.
  std::vector<int64_t> Ask(int64_t most);
  void Tell(const Result& result);
  // The last batch that fits is looked for, so that peaks are to be known.
  bool is_probing() const { return fits_ + 1 < fails_; }
  int64_t left() const { return static_cast<int64_t>(ladder_.size() - next_); }

 private:
  int64_t NextProbe() const;
  void TellProbe(bool fits);
  void AddSmallerOnes();
  void Refine();

  const Space& space_;
  const int32_t setting_;
  const Habits habits_;
  std::vector<int64_t> ladder_;
  size_t next_ = 0;
  // These are positions of the ladder while the limit is looked for: the last
  // that is known to fit and the first that is not.
  int64_t fits_ = -1, fails_ = 0;
  std::set<int64_t> asked_;
  int failures_ = 0;
  int64_t too_large_ = std::numeric_limits<int64_t>::max();  // it, and all above
  bool refined_ = false;
  bool ended_ = false;
  std::vector<Trial> trials_;
};

}  // namespace tilewise
