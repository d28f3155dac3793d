// Of the batches within the margin of the best score that are sure to fit, the user's
// own or else the smallest, because smaller batches converge in fewer examples.

#include "tuner/choose.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "tuner/strategy.h"

namespace tilewise {
namespace {

constexpr double kWorthARisk = 1.02;
// Contenders that are shown where all are on one machine.
constexpr size_t kMostContenders = 12;

double Money(const Trial& trial, const Target& target, double price_per_chip_hour) {
  const double per_second =
      price_per_chip_hour * static_cast<double>(ChipsOf(target)) / 3600 / Throughput(trial);
  return per_second * 1e6;
}

class Chooser {
 public:
  Chooser(const Space& space, std::vector<Trial>& trials) : space_(space), trials_(trials) {
    for (int32_t i = 0; i < space.settings(); ++i) {
      priced_ &= space.search().objective.price.contains(space.setting(i).target.chip.name);
    }
    // The order is by batch, then that of the settings: the user's own comes first.
    std::ranges::stable_sort(trials_, [](const Trial& a, const Trial& b) {
      return std::pair(a.global_batch, a.setting) < std::pair(b.global_batch, b.setting);
    });
  }

  double ScoreOf(const Trial& trial) const {
    return Score(trial, space_.setting(trial.setting).target, space_.search().objective);
  }

  // Another batch has to gain something, as it wants another learning rate.
  bool HasOwnBatch(const Trial& trial) const {
    return space_.has_own_batch() && trial.global_batch == space_.own().global_batch();
  }

  // Returns the price of an hour of the machine; the number of chips where not all have a price.
  double Expense(const Trial& trial) const {
    const Target& target = space_.setting(trial.setting).target;
    const auto chips = static_cast<double>(ChipsOf(target));
    const auto& prices = space_.search().objective.price;
    if (!priced_) return chips;
    return chips * prices.at(target.chip.name);
  }

  using Test = std::function<bool(const Trial&)>;

  // Returns null when there is none.
  const Trial* SmallestGoodEnough(const Test& may) const {
    double best = 0;
    for (const Trial& trial : trials_) {
      if (may(trial)) best = std::max(best, ScoreOf(trial));
    }
    const auto rank = [&](const Trial& trial) {
      return std::tuple(Expense(trial), !HasOwnBatch(trial), trial.global_batch, -ScoreOf(trial));
    };
    const Trial* chosen = nullptr;
    for (const Trial& trial : trials_) {
      if (!may(trial) || ScoreOf(trial) < CloseEnough(space_) * best) continue;
      if (chosen == nullptr || rank(trial) < rank(*chosen)) chosen = &trial;
    }
    return chosen;
  }

  // Returns the first of those that fit with the highest certainty.
  const Trial* Surest(const Test& may) const {
    const Trial* surest = nullptr;
    for (const Trial& trial : trials_) {
      if (!IsSimulated(trial) || !trial.allowed || !may(trial)) continue;
      if (surest == nullptr || trial.certainty > surest->certainty) surest = &trial;
    }
    return surest;
  }

  const Trial* Best(const Test& may) const {
    const Trial* best =
        SmallestGoodEnough([&](const Trial& trial) { return IsSure(trial) && may(trial); });
    return best != nullptr ? best : Surest(may);
  }

  const Trial* Gamble(const Trial& best) const {
    const Trial* gamble = SmallestGoodEnough([&](const Trial& trial) {
      return IsUnsure(trial) && space_.machine(trial.setting) == space_.machine(best.setting);
    });
    if (gamble == nullptr || ScoreOf(*gamble) <= kWorthARisk * ScoreOf(best)) return nullptr;
    return gamble;
  }

  // The best of each setting or machine; for that of `chosen` it is this.
  std::vector<Contender> Contenders(const Trial* chosen) const {
    std::map<int32_t, std::vector<int32_t>> groups;
    const bool one_machine = space_.machines() == 1;
    for (int32_t i = 0; i < space_.settings(); ++i) {
      groups[one_machine ? i : space_.machine(i)].push_back(i);
    }
    std::vector<Contender> contenders;
    for (const auto& [group, members] : groups) {
      const std::vector<int32_t>& settings = members;  // a lambda takes no structured binding
      const auto is_of = [&](const Trial& trial) {
        return std::ranges::binary_search(settings, trial.setting);
      };
      const Trial* best = chosen != nullptr && is_of(*chosen) ? chosen : Best(is_of);
      if (best != nullptr) contenders.push_back(ContenderOf(*best));
    }
    std::ranges::stable_sort(contenders, std::greater<>(), [&](const Contender& contender) {
      return std::pair(contender.trial.sure, ScoreOf(contender.trial));
    });
    MarkFront(contenders);
    if (one_machine && contenders.size() > kMostContenders) contenders.resize(kMostContenders);
    return contenders;
  }

 private:
  Contender ContenderOf(const Trial& trial) const {
    const SearchSetting& setting = space_.setting(trial.setting);
    Contender contender;
    contender.trial = trial;
    contender.changes = ChangesInWords(setting);
    contender.machine = MachineName(setting.target);
    contender.chips = ChipsOf(setting.target);
    const auto& prices = space_.search().objective.price;
    const auto price = prices.find(setting.target.chip.name);
    if (price != prices.end()) contender.cost = Money(trial, setting.target, price->second);
    return contender;
  }

  // Faster against cheaper where all have a price, else against fewer chips.
  static void MarkFront(std::vector<Contender>& contenders) {
    const bool priced =
        std::ranges::all_of(contenders, [](const Contender& c) { return c.cost.has_value(); });
    const auto expense = [&](const Contender& c) {
      return priced ? *c.cost : static_cast<double>(c.chips);
    };
    for (Contender& contender : contenders) {
      contender.on_front = std::ranges::none_of(contenders, [&](const Contender& other) {
        const double faster = Throughput(other.trial) - Throughput(contender.trial);
        const double dearer = expense(other) - expense(contender);
        return other.trial.sure >= contender.trial.sure && faster >= 0 && dearer <= 0 &&
               (faster > 0 || dearer < 0);
      });
    }
  }

  const Space& space_;
  std::vector<Trial>& trials_;
  bool priced_ = true;  // every machine
};

}  // namespace

absl::Status Choose(const Space& space, std::vector<Trial> trials, Tuning& tuning) {
  LetSmallerBeAsSure(trials);
  tuning.curve.clear();
  tuning.best.reset();
  tuning.gamble.reset();
  tuning.runner_up.reset();
  const Chooser chooser(space, trials);
  const Trial* best = chooser.Best([](const Trial&) { return true; });
  const int32_t setting = best == nullptr ? 0 : best->setting;
  tuning.device = space.setting(setting).target.device();
  for (const Trial& trial : trials) {
    if (trial.setting == setting) tuning.curve.push_back(trial);
  }
  if (space.settings() > 1) tuning.contenders = chooser.Contenders(best);
  if (best == nullptr) return absl::OkStatus();
  tuning.best = *best;
  tuning.changes = ChangesInWords(space.setting(setting));
  tuning.machine = MachineName(space.setting(setting).target);
  tuning.parts = space.setting(setting).options.spec->accumulation_steps;
  if (const Trial* gamble = chooser.Gamble(*best)) tuning.gamble = *gamble;
  const Trial* next = chooser.Best([&](const Trial& trial) {
    return trial.setting != setting || trial.batch_per_core != best->batch_per_core;
  });
  if (next != nullptr && next->sure && chooser.ScoreOf(*best) > 0) {
    tuning.runner_up = {.trial = *next,
                        .changes = ChangesInWords(space.setting(next->setting)),
                        .machine = MachineName(space.setting(next->setting).target),
                        .score = chooser.ScoreOf(*next) / chooser.ScoreOf(*best)};
  }
  TW_ASSIGN_OR_RETURN(tuning.executions, LoopsAround(space, *best));
  return absl::OkStatus();
}

}  // namespace tilewise
