// Screens the constants, fits those that matter, drops the least certain one
// until all that are left are determined, and sets back those that add little.

#include "accuracy/calibrate.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "accuracy/calibration_rows.h"
#include "accuracy/robust_fit.h"

namespace tilewise {
namespace {

using RowPointers = std::vector<const CalibrationRow*>;

// Of the logarithm of a constant: wide enough to step over the rounding of
// windows and cycles.
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

double Value(const std::string& text) {
  return std::strtod(text.c_str(), nullptr);
}

// Four digits: more would pretend a certainty that no interval here has.
double Rounded(double value) { return Value(fmt::format("{:.4g}", value)); }

// The 97.5 % point of Student's distribution (Abramowitz and Stegun 26.7.5).
double Student(size_t freedom) {
  constexpr double z = 1.959964;
  const auto v = static_cast<double>(std::max<size_t>(1, freedom));
  return z + (z * z * z + z) / (4 * v) +
         (5 * std::pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * v * v);
}

ErrorSummary ErrorsOf(const RowPointers& rows,
                      const std::vector<double>& simulated) {
  std::vector<Pair> pairs;
  for (size_t i = 0; i < rows.size(); ++i) {
    pairs.push_back({rows[i]->point.figure.value, simulated[i]});
  }
  return Summarize(pairs);
}

std::vector<double> Before(const RowPointers& rows) {
  std::vector<double> simulated;
  for (const CalibrationRow* row : rows) simulated.push_back(row->simulated);
  return simulated;
}

class Calibrator {
 public:
  Calibrator(const CalibrateOptions& options, const RowPointers& rows,
             Calibration& result)
      : options_(options), rows_(rows), result_(result) {}

  absl::Status Run() {
    TW_ASSIGN_OR_RETURN(const std::vector<FittableConstant> constants,
                        FittableConstants(options_.machine.chip));
    for (const FittableConstant& constant : constants) {
      result_.constants.push_back(
          {constant, FitOutcome::kNoEffect, constant.value});
    }
    TW_RETURN_IF_ERROR(Screen());
    TW_ASSIGN_OR_RETURN(RobustFit fit, FitActive());
    while (const std::optional<size_t> worst = Undetermined(fit)) {
      Drop(*worst, FitOutcome::kUncertain, fit);
      TW_ASSIGN_OR_RETURN(fit, FitActive());
    }
    TW_ASSIGN_OR_RETURN(fit, Simplify(std::move(fit)));
    Keep(fit);
    return absl::OkStatus();
  }

  std::vector<ChangedConstant> Changes(const std::string& source) const {
    std::vector<ChangedConstant> changes;
    for (const CalibratedConstant& constant : result_.constants) {
      if (constant.after == constant.before.value) continue;
      changes.push_back({constant.before.field, constant.after,
                         constant.outcome == FitOutcome::kFitted
                             ? fmt::format("{}; 95 % interval {:.3g} to {:.3g}",
                                           source, constant.low, constant.high)
                             : source + "; at the limit of its range"});
    }
    return changes;
  }

 private:
  CalibratedConstant& constant(size_t active) {
    return result_.constants[active_[active]];
  }

  absl::StatusOr<RobustFit> FitActive(size_t iterations = kMostIterations) {
    TW_ASSIGN_OR_RETURN(
        RobustFit fit,
        FitRobustly(
            Variables(), LogErrors(),
            {.step = kStep, .most_iterations = iterations, .limit = limit_}));
    if (iterations > 0) limit_ = fit.limit;
    result_.evaluations += fit.evaluations;
    return fit;
  }

  // Which constants move a row at all.
  absl::Status Screen() {
    std::vector<size_t> screened;
    for (size_t i = 0; i < result_.constants.size(); ++i) {
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
      variables.push_back({std::log(constant(i).after), std::log(before.least),
                           std::log(before.most)});
    }
    return variables;
  }

  Residuals LogErrors() {
    return [this](std::span<const double> point)
               -> absl::StatusOr<std::vector<double>> {
      std::vector<ChangedConstant> changes;
      for (size_t i = 0; i < active_.size(); ++i) {
        const FittableConstant& before = constant(i).before;
        changes.push_back(
            {before.field,
             std::clamp(std::exp(point[i]), before.least, before.most),
             "under test"});
      }
      TW_ASSIGN_OR_RETURN(const Chip chip,
                          FindChipWith(options_.machine.chip, changes));
      std::vector<double> errors = SimulateRows(rows_, chip, options_.threads);
      for (size_t i = 0; i < errors.size(); ++i) {
        errors[i] = errors[i] > 0
                        ? std::log(errors[i] / rows_[i]->point.figure.value)
                        : kLost;
      }
      return errors;
    };
  }

  double Margin(const RobustFit& fit, size_t i) const {
    const size_t freedom = fit.observations - active_.size();
    return Student(freedom) * fit.standard_error[i];
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
          std::clamp(std::exp(fit.point[i]), constant(i).before.least,
                     constant(i).before.most);
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
      kept.outcome =
          AtLimit(fit, i) ? FitOutcome::kAtLimit : FitOutcome::kFitted;
      kept.after = std::clamp(Rounded(value), before.least, before.most);
      kept.low = std::max(value / margin, before.least);
      kept.high = std::min(value * margin, before.most);
    }
  }

  const CalibrateOptions& options_;
  const RowPointers& rows_;
  Calibration& result_;
  std::optional<double> limit_;  // of the loss, the same for all fits
  std::vector<size_t> active_;   // indices of constants under test
};

// Evenly spaced ones go to `fitted`.
void Split(const CalibrationRows& rows, size_t most, RowPointers& fitted,
           RowPointers& held_out) {
  const size_t all = rows.compared.size();
  const size_t count = std::min(all, most);
  for (size_t i = 0, taken = 0; i < all; ++i) {
    const bool take = taken < count && i == taken * all / count;
    (take ? fitted : held_out).push_back(&rows.compared[i]);
    if (take) ++taken;
  }
}

std::string SourceOf(const std::vector<MeasuredTable>& tables,
                     const Calibration& result) {
  std::string names;
  for (const MeasuredTable& table : tables) {
    const std::string file =
        table.path.substr(table.path.find_last_of('/') + 1);
    names += (names.empty() ? "" : ", ") + file;
  }
  return fmt::format("fitted on {}, {} rows", names, result.fitted_rows);
}

}  // namespace

absl::StatusOr<Calibration> Calibrate(const std::vector<MeasuredTable>& tables,
                                      const CalibrateOptions& options) {
  TW_ASSIGN_OR_RETURN(const CalibrationRows rows,
                      ReadCalibrationRows(tables, options));
  Calibration result;
  result.rows = rows.rows;
  result.other_chips = rows.other_chips;
  result.not_compared = rows.rows - rows.other_chips - rows.compared.size();
  if (rows.compared.size() < kLeastRows) {
    return InvalidInput(fmt::format(
        "found {} rows that were measured on {} and can be simulated, expected "
        "at least {}",
        rows.compared.size(), options.machine.chip, kLeastRows));
  }
  RowPointers fitted, held_out;
  Split(rows, options.most_rows, fitted, held_out);
  result.fitted_rows = fitted.size();
  Calibrator calibrator(options, fitted, result);
  TW_RETURN_IF_ERROR(calibrator.Run());
  const std::vector<ChangedConstant> changes =
      calibrator.Changes(SourceOf(tables, result));
  TW_ASSIGN_OR_RETURN(const Chip chip,
                      FindChipWith(options.machine.chip, changes));
  result.fitted_before = ErrorsOf(fitted, Before(fitted));
  result.fitted_after =
      ErrorsOf(fitted, SimulateRows(fitted, chip, options.threads));
  if (!held_out.empty()) {
    result.held_out_before = ErrorsOf(held_out, Before(held_out));
    result.held_out_after =
        ErrorsOf(held_out, SimulateRows(held_out, chip, options.threads));
  }
  TW_ASSIGN_OR_RETURN(result.overlay,
                      OverlayText(options.machine.chip, changes));
  return result;
}

}  // namespace tilewise
