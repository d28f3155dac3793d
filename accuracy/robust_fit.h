// Robust nonlinear least squares over a few bounded variables, without
// derivatives from the caller.

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/status.h"

namespace tilewise {

// Dense, by rows; symmetric.
struct NormalMatrix {
  explicit NormalMatrix(size_t n) : size(n), cells(n * n) {}
  double& at(size_t row, size_t column) { return cells[row * size + column]; }
  double at(size_t row, size_t column) const { return cells[row * size + column]; }
  size_t size = 0;
  std::vector<double> cells;
};

// x with matrix x = right. None unless the matrix is positive definite, to
// within rounding.
std::optional<std::vector<double>> Solve(const NormalMatrix& matrix, std::vector<double> right);

// The diagonal of the inverse. None as above.
std::optional<std::vector<double>> InverseDiagonal(const NormalMatrix& matrix);

// Bounds are inclusive; start lies within them.
struct FitVariable {
  double start = 0, least = 0, most = 0;
};

// One residual per observation, the same number at every point. Finite.
using Residuals = std::function<absl::StatusOr<std::vector<double>>(std::span<const double> point)>;

struct RobustFit {
  std::vector<double> point;
  // Each variable's, from the Gauss-Newton covariance at `point`: the scale of
  // the residuals squared times the inverse of the weighted normal matrix.
  // Infinite where the residuals do not depend on the variable alone.
  std::vector<double> standard_error;
  std::vector<double> sensitivity;  // root mean square slope of the residuals
  double cost = 0;                  // sum of Huber's loss
  double limit = 0;                 // from which residuals count linearly
  size_t observations = 0;
  size_t evaluations = 0;  // calls of the residuals
};

struct FitOptions {
  double step = 0.01;  // of the central differences
  size_t most_iterations = 50;
  // Huber's limit, so that costs of several fits compare; none: 1.345 times
  // the scale of the residuals (Huber 1964), first at the start, then where
  // that led.
  std::optional<double> limit;
};

// Levenberg-Marquardt with Huber weights. A variable that a trial carries over
// a bound is put on it. The cost never rises while the limit stays.
// Deterministic. Errors: those of `residuals`.
absl::StatusOr<RobustFit> FitRobustly(std::span<const FitVariable> variables,
                                      const Residuals& residuals, const FitOptions& options);

}  // namespace tilewise
