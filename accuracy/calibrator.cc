// Least squares on the logarithms of errors and constants (robust_fit.h).

#include "accuracy/calibrator.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "accuracy/factor_search.h"
#include "accuracy/robust_fit.h"
#include "accuracy/statistics.h"

namespace tilewise {
namespace {

// Whether `name` starts with one of the words of `starts`, which commas part; with
// any where there are none.
bool IsNamed(std::string_view name, std::string_view starts) {
  while (true) {
    const size_t comma = starts.find(',');
    if (name.starts_with(starts.substr(0, comma))) return true;
    if (comma == std::string_view::npos) return false;
    starts.remove_prefix(comma + 1);
  }
}

// This step in the logarithm of a constant is wide enough to step over the rounding of windows and
// cycles.
constexpr double kStep = 0.03;
constexpr size_t kMostIterations = 8;
// A change of a constant by x moves the rows by less than this times x.
constexpr double kNoEffect = 0.005;
// Half of the widest interval of a constant that counts as determined, as a
// factor.
constexpr double kWidest = 3;
// Constants are changed when that lowers the cost by this share: about a tenth
// of the errors, whose squares the cost sums up.
constexpr double kWorthwhile = 0.2;
// Residual of a row that the constants under test make impossible to simulate.
constexpr double kLost = 3;
// An error of the logarithm from which a search does not care any more.
constexpr double kCutOff = 0.3;

double Value(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

// Four digits: more would pretend a certainty that no interval here has.
double Rounded(double value) { return Value(fmt::format("{:.4g}", value)); }

class Calibrator {
 public:
  Calibrator(const CalibrateOptions& options, const RowPointers& rows, Calibration& result)
      : options_(options), rows_(rows), result_(result) {}

  absl::Status Run() {
    TW_ASSIGN_OR_RETURN(const std::vector<FittableConstant> constants,
                        FittableConstants(options_.machine.chip));
    for (const FittableConstant& constant : constants) {
      if (!IsNamed(constant.field, options_.only)) continue;
      result_.constants.push_back({constant, FitOutcome::kNoEffect, constant.value});
    }
    if (result_.constants.empty()) {
      std::vector<std::string> names;
      names.reserve(constants.size());
      for (const FittableConstant& constant : constants) {
        names.push_back(constant.field);
      }
      return InvalidInput(fmt::format("found no constant '{}...' to fit, expected one of {}",
                                      options_.only, fmt::join(names, ", ")));
    }
    const std::vector<CalibratedConstant> before = result_.constants;
    TW_RETURN_IF_ERROR(SearchChoices());
    TW_RETURN_IF_ERROR(FitOthers());
    return chosen_.empty() ? absl::OkStatus() : DoWithoutChoices(before);
  }

 private:
  absl::Status FitOthers() {
    TW_RETURN_IF_ERROR(Screen());
    if (active_.empty()) return absl::OkStatus();
    TW_ASSIGN_OR_RETURN(RobustFit fit, FitActive());
    while (const std::optional<size_t> worst = Undetermined(fit)) {
      Drop(*worst, FitOutcome::kUncertain, fit);
      TW_ASSIGN_OR_RETURN(fit, FitActive());
    }
    TW_ASSIGN_OR_RETURN(fit, Simplify(std::move(fit)));
    Keep(fit);
    return absl::OkStatus();
  }

  // A search for choices can make up for an error of the other constants, which
  // are the simpler cause where they do nearly as well.
  absl::Status DoWithoutChoices(const std::vector<CalibratedConstant>& before) {
    TW_ASSIGN_OR_RETURN(const double cost, Cost());
    const std::vector<CalibratedConstant> found = std::exchange(result_.constants, before);
    const std::vector<ChangedConstant> chosen = std::exchange(chosen_, {});
    limit_.reset();
    TW_RETURN_IF_ERROR(FitOthers());
    TW_ASSIGN_OR_RETURN(const double without, Cost());
    if (without <= cost * (1 + kWorthwhile)) {
      for (size_t i = 0; i < found.size(); ++i) {
        const bool searched = found[i].outcome == FitOutcome::kSearched;
        if (searched) result_.constants[i].outcome = FitOutcome::kNoGain;
      }
      return absl::OkStatus();
    }
    result_.constants = found;
    chosen_ = chosen;
    return absl::OkStatus();
  }

  // Mean error with all that was found, large ones cut off.
  absl::StatusOr<double> Cost() const {
    std::vector<ChangedConstant> changes;
    for (const CalibratedConstant& constant : result_.constants) {
      if (constant.after == constant.before.value || constant.before.chooses) continue;
      changes.push_back({constant.before.field, constant.after, "under test"});
    }
    TW_ASSIGN_OR_RETURN(const std::vector<double> errors, ErrorsWith(changes));
    return MeanOf(errors);
  }

  static double MeanOf(const std::vector<double>& errors) {
    double sum = 0;
    for (const double error : errors) sum += std::min(std::abs(error), kCutOff);
    return sum / static_cast<double>(errors.size());
  }

  CalibratedConstant& constant(size_t active) { return result_.constants[active_[active]]; }

  absl::StatusOr<RobustFit> FitActive(size_t iterations = kMostIterations) {
    TW_ASSIGN_OR_RETURN(
        RobustFit fit,
        FitRobustly(Variables(), LogErrors(),
                    {.step = kStep, .most_iterations = iterations, .limit = limit_}));
    if (iterations > 0) limit_ = fit.limit;
    result_.evaluations += fit.evaluations;
    return fit;
  }

  // Mean of the errors, large ones cut off: where a choice changes, rows jump,
  // and no slope shows it.
  absl::StatusOr<double> ChoiceCost(const std::vector<size_t>& choices,
                                    std::span<const double> point) const {
    std::vector<ChangedConstant> changes;
    for (size_t i = 0; i < choices.size(); ++i) {
      changes.push_back({result_.constants[choices[i]].before.field, point[i], "under test"});
    }
    TW_ASSIGN_OR_RETURN(const std::vector<double> errors, ErrorsWith(changes));
    return MeanOf(errors);
  }

  absl::Status SearchChoices() {
    std::vector<size_t> choices;
    std::vector<SearchedVariable> variables;
    for (size_t i = 0; i < result_.constants.size(); ++i) {
      const FittableConstant& constant = result_.constants[i].before;
      if (!constant.chooses) continue;
      choices.push_back(i);
      variables.push_back({constant.value, constant.least, constant.most});
    }
    TW_ASSIGN_OR_RETURN(const FactorSearch found,
                        SearchByFactors(variables, [&](std::span<const double> point) {
                          return ChoiceCost(choices, point);
                        }));
    result_.evaluations += found.evaluations;
    const bool gain = found.cost < found.start_cost * (1 - kWorthwhile / 2);
    for (size_t i = 0; i < choices.size(); ++i) {
      CalibratedConstant& choice = result_.constants[choices[i]];
      if (!found.matters[i]) continue;
      choice.outcome = gain ? FitOutcome::kSearched : FitOutcome::kNoGain;
      if (!gain) continue;
      choice.after = Rounded(found.point[i]);
      chosen_.push_back({choice.before.field, choice.after, "searched"});
    }
    return absl::OkStatus();
  }

  // Logarithms of simulated over measured.
  absl::StatusOr<std::vector<double>> ErrorsWith(std::vector<ChangedConstant> changes) const {
    changes.insert(changes.end(), chosen_.begin(), chosen_.end());
    TW_ASSIGN_OR_RETURN(const Chip chip, FindChipWith(options_.machine.chip, changes));
    std::vector<double> errors = SimulateRows(rows_, chip, options_.threads);
    for (size_t i = 0; i < errors.size(); ++i) {
      errors[i] = errors[i] > 0 ? std::log(errors[i] / rows_[i]->point.figure.value) : kLost;
    }
    return errors;
  }

  // Finds the constants that move a row at all.
  absl::Status Screen() {
    std::vector<size_t> screened;
    for (size_t i = 0; i < result_.constants.size(); ++i) {
      if (result_.constants[i].before.chooses) continue;
      active_ = {i};
      TW_ASSIGN_OR_RETURN(const RobustFit fit, FitActive(0));
      if (fit.sensitivity.front() >= kNoEffect) screened.push_back(i);
    }
    active_ = screened;
    // With as many constants as rows nothing would be determined.
    while (active_.size() * 2 > rows_.size()) {
      result_.constants[active_.back()].outcome = FitOutcome::kUncertain;
      active_.pop_back();
    }
    return absl::OkStatus();
  }

  // Sets constants back, the least significant change first, while the others
  // can do nearly as well: what fits by trading one constant against another
  // does not carry over to other workloads.
  absl::StatusOr<RobustFit> Simplify(RobustFit fit) {
    const double most = fit.cost * (1 + kWorthwhile);
    while (!active_.empty()) {
      const std::vector<size_t> active = active_;
      const std::vector<CalibratedConstant> constants = result_.constants;
      Drop(LeastSignificant(fit), FitOutcome::kNoGain, fit);
      TW_ASSIGN_OR_RETURN(RobustFit simpler, FitActive());
      if (simpler.cost > most) {
        active_ = active;
        result_.constants = constants;
        break;
      }
      fit = std::move(simpler);
    }
    return fit;
  }

  size_t LeastSignificant(const RobustFit& fit) {
    const auto significance = [&](size_t i) {
      const double change = fit.point[i] - std::log(constant(i).before.value);
      return std::abs(change) / fit.standard_error[i];
    };
    size_t least = 0;
    for (size_t i = 1; i < active_.size(); ++i) {
      if (significance(i) < significance(least)) least = i;
    }
    return least;
  }

  std::vector<FitVariable> Variables() {
    std::vector<FitVariable> variables;
    for (size_t i = 0; i < active_.size(); ++i) {
      const FittableConstant& before = constant(i).before;
      variables.push_back(
          {std::log(constant(i).after), std::log(before.least), std::log(before.most)});
    }
    return variables;
  }

  Residuals LogErrors() {
    return [this](std::span<const double> point) -> absl::StatusOr<std::vector<double>> {
      std::vector<ChangedConstant> changes;
      for (size_t i = 0; i < active_.size(); ++i) {
        const FittableConstant& before = constant(i).before;
        changes.push_back({before.field, std::clamp(std::exp(point[i]), before.least, before.most),
                           "under test"});
      }
      return ErrorsWith(std::move(changes));
    };
  }

  double Margin(const RobustFit& fit, size_t i) const {
    const size_t freedom = fit.observations - active_.size();
    return StudentPoint(freedom) * fit.standard_error[i];
  }

  bool AtLimit(const RobustFit& fit, size_t i) {
    const FittableConstant& before = constant(i).before;
    return fit.point[i] <= std::log(before.least) + 1e-9 ||
           fit.point[i] >= std::log(before.most) - 1e-9;
  }

  // The constant with the widest interval, if that is too wide; of constants
  // that cannot be told apart, the one that the rows depend on least.
  std::optional<size_t> Undetermined(const RobustFit& fit) const {
    std::optional<size_t> worst;
    for (size_t i = 0; i < active_.size(); ++i) {
      if (Margin(fit, i) <= std::log(kWidest)) continue;
      const auto key = [&](size_t at) {
        return std::make_pair(fit.standard_error[at], -fit.sensitivity[at]);
      };
      if (!worst || key(i) > key(*worst)) worst = i;
    }
    return worst;
  }

  // The others start where this fit left them: they are nearer there.
  void Drop(size_t worst, FitOutcome outcome, const RobustFit& fit) {
    for (size_t i = 0; i < active_.size(); ++i) {
      constant(i).after =
          std::clamp(std::exp(fit.point[i]), constant(i).before.least, constant(i).before.most);
    }
    constant(worst).outcome = outcome;
    constant(worst).after = constant(worst).before.value;
    active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(worst));
  }

  void Keep(const RobustFit& fit) {
    for (size_t i = 0; i < active_.size(); ++i) {
      CalibratedConstant& kept = constant(i);
      const FittableConstant& before = kept.before;
      const double value = std::exp(fit.point[i]);
      const double margin = std::exp(Margin(fit, i));
      kept.outcome = AtLimit(fit, i) ? FitOutcome::kAtLimit : FitOutcome::kFitted;
      kept.after = std::clamp(Rounded(value), before.least, before.most);
      kept.low = std::max(value / margin, before.least);
      kept.high = std::min(value * margin, before.most);
    }
  }

  const CalibrateOptions& options_;
  const RowPointers& rows_;
  Calibration& result_;
  std::optional<double> limit_;          // of the loss, the same for all fits
  std::vector<ChangedConstant> chosen_;  // by SearchChoices
  std::vector<size_t> active_;           // indices of constants under test
};

std::string CertaintyOf(const CalibratedConstant& constant) {
  switch (constant.outcome) {
    case FitOutcome::kFitted:
      return fmt::format("95 % interval {:.3g} to {:.3g}", constant.low, constant.high);
    case FitOutcome::kSearched:
      return "searched for, as it decides between windows";
    default:
      return "at the limit of its range";
  }
}

}  // namespace

absl::Status FitConstants(const CalibrateOptions& options, const RowPointers& rows,
                          Calibration& result) {
  return Calibrator(options, rows, result).Run();
}

std::vector<ChangedConstant> ChangesOf(const Calibration& result, const std::string& source) {
  std::vector<ChangedConstant> changes;
  for (const CalibratedConstant& constant : result.constants) {
    if (constant.after == constant.before.value) continue;
    changes.push_back({constant.before.field, constant.after,
                       fmt::format("{}; {}", source, CertaintyOf(constant))});
  }
  return changes;
}

}  // namespace tilewise
