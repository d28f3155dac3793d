// What the strategies have in common: the table of them, what is known to be
// good, and the climb up the batches of one setting.

#include "tuner/strategy.h"

#include <algorithm>

namespace tilewise {

#define TW_STRATEGY(Name) StrategyInfo Name##Strategy();
#include "tuner/strategies.def"
#undef TW_STRATEGY

std::span<const StrategyInfo> Strategies() {
#define TW_STRATEGY(Name) Name##Strategy(),
  static const std::vector<StrategyInfo> strategies = {
#include "tuner/strategies.def"
  };
#undef TW_STRATEGY
  return strategies;
}

const StrategyInfo* FindStrategy(std::string_view name) {
  const std::span<const StrategyInfo> all = Strategies();
  const auto found = std::ranges::find(all, name, &StrategyInfo::name);
  return found == all.end() ? nullptr : &*found;
}

double MeritOf(const Space& space, const Result& result) {
  if (!result.error.empty()) return -std::numeric_limits<double>::infinity();
  const Trial& trial = result.trial;
  if (IsSure(trial)) {
    return Score(trial, space.setting(trial.setting).target, space.search().objective);
  }
  const auto available = static_cast<double>(std::max<int64_t>(1, trial.hbm_available.value));
  return -1 - static_cast<double>(trial.hbm_peak.value) / available;
}

void Incumbents::Tell(const Result& result) {
  if (!result.error.empty() || !IsSure(result.trial)) return;
  const int32_t setting = result.trial.setting;
  double& best = best_[space_.machine(setting)];
  best = std::max(best,
                  Score(result.trial, space_.setting(setting).target, space_.search().objective));
}

namespace {

// Once this many batches in a row do not fit, larger ones will not either, nor those
// above one that needs so many times what there is.
constexpr int kFailuresToStop = 2;
constexpr double kFarTooLarge = 1.25;
// Batches are tried in steps of this part of the last one that is sure to fit.
constexpr int64_t kPartsOfLimit = 4;
// A ladder of more batches than this is first halved.
constexpr int64_t kLong = 12;

bool IsFarTooLarge(const Trial& trial) {
  return static_cast<double>(trial.hbm_peak.value) >
         kFarTooLarge * static_cast<double>(trial.hbm_available.value);
}

}  // namespace

Climb::Climb(const Space& space, int32_t setting, Habits habits)
    : space_(space), setting_(setting), habits_(habits), ladder_(space.Ladder(setting)) {
  if (habits.stops && !space.chooses_batches() && left() > kLong) fails_ = left();
}

// The ends first.
int64_t Climb::NextProbe() const {
  const auto end = static_cast<int64_t>(ladder_.size());
  if (fails_ == end) return end - 1;
  return fits_ < 0 ? 0 : (fits_ + fails_) / 2;
}

void Climb::TellProbe(bool fits) {
  const int64_t at = NextProbe();
  (fits ? fits_ : fails_) = at;
  if (is_probing()) return;
  // Larger ones do not fit.
  ladder_.resize(static_cast<size_t>(fits_ + 1));
}

std::vector<int64_t> Climb::Ask(int64_t most) {
  if (is_probing()) {
    const int64_t batch = ladder_[NextProbe()];
    asked_.insert(batch);
    return {batch};
  }
  std::vector<int64_t> batches;
  while (static_cast<int64_t>(batches.size()) < most && !ended_) {
    if (next_ == ladder_.size()) {
      if (!batches.empty()) break;  // what comes next depends on them
      Refine();
      if (next_ == ladder_.size()) ended_ = true;
      continue;
    }
    const int64_t batch = ladder_[next_++];
    if (asked_.contains(batch)) continue;
    const bool has_failed = habits_.stops && (failures_ >= kFailuresToStop || batch >= too_large_);
    if (has_failed && !space_.IsOwn(setting_, batch)) continue;
    batches.push_back(batch);
    if (refined_) break;  // each of these depends on the one before it
  }
  return batches;
}

void Climb::Tell(const Result& result) {
  if (!result.error.empty()) {
    ended_ = true;
    return;
  }
  const Trial& trial = result.trial;
  if (is_probing()) {
    trials_.push_back(trial);
    TellProbe(trial.fits);
    return;
  }
  failures_ = trial.fits ? 0 : failures_ + 1;
  if (IsFarTooLarge(trial)) too_large_ = std::min(too_large_, trial.batch_per_core);
  trials_.push_back(trial);
  if (trials_.size() == 1 && !trial.sure) AddSmallerOnes();
  if (refined_ && !trial.sure) ended_ = true;
}

// The smallest batch of the default ladder is too large. What it needs is in part
// the same for all batches, so that half of it is less than half the batch needs.
void Climb::AddSmallerOnes() {
  if (!space_.chooses_batches()) return;
  failures_ = 0;
  const Trial& first = trials_.front();
  const int64_t parts = space_.setting(setting_).options.spec->accumulation_steps;
  std::vector<int64_t> smaller = {first.batch_per_core / parts};
  AddSmaller(smaller);
  smaller.pop_back();
  for (int64_t& batch : smaller) batch *= parts;
  std::erase_if(smaller, [&](int64_t batch) {
    const double least = static_cast<double>(first.hbm_peak.value) * static_cast<double>(batch) /
                         static_cast<double>(first.batch_per_core);
    const bool may_fit = least <= static_cast<double>(first.hbm_available.value);
    return habits_.stops && !may_fit;
  });
  const auto rest = ladder_.begin() + static_cast<std::ptrdiff_t>(next_);
  if (habits_.stops && !first.fits) {
    const auto none = std::remove_if(rest, ladder_.end(),
                                     [&](int64_t batch) { return !space_.IsOwn(setting_, batch); });
    ladder_.erase(none, ladder_.end());
  }
  ladder_.insert(ladder_.begin() + static_cast<std::ptrdiff_t>(next_), smaller.begin(),
                 smaller.end());
}

void Climb::Refine() {
  if (refined_ || !space_.chooses_batches()) return;
  refined_ = true;
  LetSmallerBeAsSure(trials_);
  std::ranges::sort(trials_, {}, &Trial::batch_per_core);
  const auto unsure = std::ranges::find(trials_, false, &Trial::sure);
  if (unsure == trials_.begin() || unsure == trials_.end()) return;
  const Trial& last = *std::prev(unsure);
  if (!IsSure(last)) return;
  // The batches between are tried only where more examples are worth it: the last is better than
  // all before.
  const Target& target = space_.setting(setting_).target;
  const auto score = [&](const Trial& trial) {
    return Score(trial, target, space_.search().objective);
  };
  for (auto before = trials_.begin(); before != std::prev(unsure); ++before) {
    if (IsSure(*before) && score(*before) >= CloseEnough(space_) * score(last)) return;
  }
  if (unsure->fits && !unsure->peak_is_bound && score(*unsure) * CloseEnough(space_) <= score(last))
    return;
  const int64_t parts = space_.setting(setting_).options.spec->accumulation_steps;
  const int64_t stride = std::max<int64_t>(1, last.batch_per_core / kPartsOfLimit);
  for (int64_t batch = last.batch_per_core + stride; batch < unsure->batch_per_core;
       batch += stride) {
    if (batch % parts == 0) ladder_.push_back(batch);
  }
}

}  // namespace tilewise
