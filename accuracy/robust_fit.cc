// Levenberg-Marquardt: the normal equations with a damped diagonal, damped more
// after a step that does not help and less after one that does.

#include "accuracy/robust_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accuracy/statistics.h"

namespace tilewise {
namespace {

// Below this share of its diagonal cell a pivot is rounding.
constexpr double kSmallestPivot = 1e-12;

// The lower factor, in place of the lower half.
std::optional<NormalMatrix> Factor(NormalMatrix matrix) {
  for (size_t column = 0; column < matrix.size; ++column) {
    const double whole = matrix.at(column, column);
    double pivot = whole;
    for (size_t i = 0; i < column; ++i) {
      pivot -= matrix.at(column, i) * matrix.at(column, i);
    }
    if (!(pivot > kSmallestPivot * whole)) return std::nullopt;
    const double root = std::sqrt(pivot);
    matrix.at(column, column) = root;
    for (size_t row = column + 1; row < matrix.size; ++row) {
      double sum = matrix.at(row, column);
      for (size_t i = 0; i < column; ++i) {
        sum -= matrix.at(row, i) * matrix.at(column, i);
      }
      matrix.at(row, column) = sum / root;
    }
  }
  return matrix;
}

void SolveWith(const NormalMatrix& factor, std::vector<double>& x) {
  for (size_t row = 0; row < factor.size; ++row) {
    for (size_t i = 0; i < row; ++i) x[row] -= factor.at(row, i) * x[i];
    x[row] /= factor.at(row, row);
  }
  for (size_t row = factor.size; row-- > 0;) {
    for (size_t i = row + 1; i < factor.size; ++i) {
      x[row] -= factor.at(i, row) * x[i];
    }
    x[row] /= factor.at(row, row);
  }
}

constexpr double kHuber = 1.345;         // 95 % efficient on normal errors
constexpr double kNormalScale = 1.4826;  // median absolute value to sigma
constexpr double kSmallestScale = 1e-3;  // residuals below are all alike
constexpr double kFirstDamping = 1e-2;
constexpr double kMostDamping = 1e8;
constexpr double kSmallestGain = 1e-5;  // of the cost, in one iteration

double ScaleOf(const std::vector<double>& residuals) {
  std::vector<double> sizes;
  for (const double residual : residuals) sizes.push_back(std::abs(residual));
  if (sizes.empty()) return kSmallestScale;
  return std::max(kNormalScale * Median(std::move(sizes)), kSmallestScale);
}

class Fitter {
 public:
  Fitter(std::span<const FitVariable> variables, const Residuals& residuals,
         const FitOptions& options)
      : variables_(variables), residuals_(residuals), options_(options) {
    for (const FitVariable& variable : variables) {
      fit_.point.push_back(variable.start);
    }
  }

  absl::StatusOr<RobustFit> Run() {
    TW_ASSIGN_OR_RETURN(values_, Evaluate(fit_.point));
    fit_.observations = values_.size();
    fit_.limit = options_.limit.value_or(kHuber * ScaleOf(values_));
    fit_.cost = CostOf(values_);
    TW_RETURN_IF_ERROR(Differentiate());
    TW_RETURN_IF_ERROR(Settle());
    if (!options_.limit && options_.most_iterations > 0) {
      // The start may lie so far off that its scale hides the outliers.
      fit_.limit = std::min(fit_.limit, kHuber * ScaleOf(values_));
      fit_.cost = CostOf(values_);
      damping_ = kFirstDamping;
      TW_RETURN_IF_ERROR(Settle());
    }
    SetSensitivity();
    SetErrors();
    return fit_;
  }

 private:
  size_t size() const { return variables_.size(); }

  absl::Status Settle() {
    for (size_t i = 0; i < options_.most_iterations; ++i) {
      TW_ASSIGN_OR_RETURN(const double gain, Improve());
      if (gain > 0) TW_RETURN_IF_ERROR(Differentiate());
      if (gain <= kSmallestGain * fit_.cost) break;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<double>> Evaluate(const std::vector<double>& point) {
    ++fit_.evaluations;
    return residuals_(point);
  }

  double CostOf(const std::vector<double>& values) const {
    double cost = 0;
    for (const double value : values) {
      const double size = std::abs(value);
      cost += size <= fit_.limit ? size * size / 2 : fit_.limit * (size - fit_.limit / 2);
    }
    return cost;
  }

  double WeightOf(double value) const {
    return std::abs(value) <= fit_.limit ? 1 : fit_.limit / std::abs(value);
  }

  // Central differences, one-sided at a bound.
  absl::Status Differentiate() {
    slopes_.assign(size(), {});
    for (size_t i = 0; i < size(); ++i) {
      std::vector<double> low = fit_.point, high = fit_.point;
      low[i] = std::max(low[i] - options_.step, variables_[i].least);
      high[i] = std::min(high[i] + options_.step, variables_[i].most);
      TW_ASSIGN_OR_RETURN(const std::vector<double> below, Evaluate(low));
      TW_ASSIGN_OR_RETURN(const std::vector<double> above, Evaluate(high));
      for (size_t row = 0; row < values_.size(); ++row) {
        slopes_[i].push_back((above[row] - below[row]) / (high[i] - low[i]));
      }
    }
    return absl::OkStatus();
  }

  // A variable on a bound that the descent would carry over it stays there.
  bool IsHeld(size_t i) const {
    double slope = 0;
    for (size_t row = 0; row < values_.size(); ++row) {
      slope += WeightOf(values_[row]) * slopes_[i][row] * values_[row];
    }
    return (slope > 0 && fit_.point[i] <= variables_[i].least) ||
           (slope < 0 && fit_.point[i] >= variables_[i].most);
  }

  NormalMatrix Normal(const std::vector<size_t>& used) const {
    NormalMatrix normal(used.size());
    for (size_t i = 0; i < used.size(); ++i) {
      for (size_t j = 0; j < used.size(); ++j) {
        for (size_t row = 0; row < values_.size(); ++row) {
          normal.at(i, j) += WeightOf(values_[row]) * slopes_[used[i]][row] * slopes_[used[j]][row];
        }
      }
    }
    return normal;
  }

  std::vector<double> Downhill(const std::vector<size_t>& used) const {
    std::vector<double> right(used.size());
    for (size_t i = 0; i < used.size(); ++i) {
      for (size_t row = 0; row < values_.size(); ++row) {
        right[i] -= WeightOf(values_[row]) * slopes_[used[i]][row] * values_[row];
      }
    }
    return right;
  }

  // The cost saved; 0 when no damping helps.
  absl::StatusOr<double> Improve() {
    std::vector<size_t> used;
    for (size_t i = 0; i < size(); ++i) {
      if (!IsHeld(i)) used.push_back(i);
    }
    if (used.empty()) return 0.0;
    const NormalMatrix normal = Normal(used);
    const std::vector<double> right = Downhill(used);
    for (; damping_ <= kMostDamping; damping_ *= 10) {
      const std::vector<double> point = Trial(normal, right, used);
      if (point == fit_.point) continue;
      TW_ASSIGN_OR_RETURN(std::vector<double> values, Evaluate(point));
      const double gain = fit_.cost - CostOf(values);
      if (!(gain > 0)) continue;
      fit_.point = point;
      fit_.cost -= gain;
      values_ = std::move(values);
      damping_ /= 10;
      return gain;
    }
    return 0.0;
  }

  std::vector<double> Trial(const NormalMatrix& normal, const std::vector<double>& right,
                            const std::vector<size_t>& used) const {
    NormalMatrix damped = normal;
    for (size_t i = 0; i < used.size(); ++i) {
      damped.at(i, i) += damping_ * std::max(normal.at(i, i), 1e-12);
    }
    std::vector<double> point = fit_.point;
    const auto step = Solve(damped, right);
    if (!step) return point;
    for (size_t i = 0; i < used.size(); ++i) {
      const FitVariable& variable = variables_[used[i]];
      point[used[i]] = std::clamp(point[used[i]] + (*step)[i], variable.least, variable.most);
    }
    return point;
  }

  void SetSensitivity() {
    for (const std::vector<double>& slopes : slopes_) {
      double squares = 0;
      for (const double slope : slopes) squares += slope * slope;
      const auto rows = static_cast<double>(std::max<size_t>(1, slopes.size()));
      fit_.sensitivity.push_back(std::sqrt(squares / rows));
    }
  }

  void SetErrors() {
    fit_.standard_error.assign(size(), std::numeric_limits<double>::infinity());
    if (values_.size() <= size()) return;
    std::vector<size_t> all;
    for (size_t i = 0; i < size(); ++i) all.push_back(i);
    const auto diagonal = InverseDiagonal(Normal(all));
    if (!diagonal) return;
    double squares = 0;
    for (const double value : values_) {
      squares += WeightOf(value) * value * value;
    }
    const double variance = squares / static_cast<double>(values_.size() - size());
    for (size_t i = 0; i < size(); ++i) {
      fit_.standard_error[i] = std::sqrt(variance * (*diagonal)[i]);
    }
  }

  std::span<const FitVariable> variables_;
  const Residuals& residuals_;
  const FitOptions& options_;
  double damping_ = kFirstDamping;
  std::vector<double> values_;
  std::vector<std::vector<double>> slopes_;  // [variable][observation]
  RobustFit fit_;
};

}  // namespace

std::optional<std::vector<double>> Solve(const NormalMatrix& matrix, std::vector<double> right) {
  const std::optional<NormalMatrix> factor = Factor(matrix);
  if (!factor) return std::nullopt;
  SolveWith(*factor, right);
  return right;
}

std::optional<std::vector<double>> InverseDiagonal(const NormalMatrix& matrix) {
  const std::optional<NormalMatrix> factor = Factor(matrix);
  if (!factor) return std::nullopt;
  std::vector<double> diagonal;
  for (size_t i = 0; i < matrix.size; ++i) {
    std::vector<double> unit(matrix.size);
    unit[i] = 1;
    SolveWith(*factor, unit);
    diagonal.push_back(unit[i]);
  }
  return diagonal;
}

absl::StatusOr<RobustFit> FitRobustly(std::span<const FitVariable> variables,
                                      const Residuals& residuals, const FitOptions& options) {
  return Fitter(variables, residuals, options).Run();
}

}  // namespace tilewise
