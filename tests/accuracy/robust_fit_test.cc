// Fits whose answer is known.

#include "accuracy/robust_fit.h"

#include <cmath>

#include <gtest/gtest.h>

namespace tilewise {
namespace {

constexpr FitVariable kFree = {.start = 0, .least = -10, .most = 10};

// y = a + b x with small alternating errors, at x = 0 .. 19.
Residuals Line(double a, double b, double error, double outlier = 0) {
  return [=](std::span<const double> at) {
    std::vector<double> residuals;
    for (int x = 0; x < 20; ++x) {
      const double noise = x % 2 == 0 ? error : -error;
      const double measured = a + b * x + noise + (x == 10 ? outlier : 0);
      residuals.push_back(at[0] + at[1] * x - measured);
    }
    return absl::StatusOr<std::vector<double>>(residuals);
  };
}

RobustFit Fit(const std::vector<FitVariable>& variables, const Residuals& residuals) {
  const auto fit = FitRobustly(variables, residuals, {});
  EXPECT_TRUE(fit.ok()) << fit.status();
  return fit.ok() ? *fit : RobustFit{};
}

TEST(FitRobustly, FindsALineAndItsErrors) {
  const RobustFit fit = Fit({kFree, kFree}, Line(2, 0.5, 0.1));
  EXPECT_NEAR(fit.point[0], 2, 0.05);
  EXPECT_NEAR(fit.point[1], 0.5, 0.005);
  // sigma / sqrt(sum of squared distances from the mean x).
  EXPECT_NEAR(fit.standard_error[1], 0.1 / std::sqrt(665), 0.001);
}

TEST(FitRobustly, OutlierHardlyMovesIt) {
  const RobustFit fit = Fit({kFree, kFree}, Line(2, 0.5, 0.1, 50));
  EXPECT_NEAR(fit.point[0], 2, 0.5);
  EXPECT_NEAR(fit.point[1], 0.5, 0.05);
}

TEST(FitRobustly, StopsAtABound) {
  const FitVariable bounded = {.start = 0, .least = -1, .most = 1};
  const RobustFit fit = Fit({bounded, kFree}, Line(2, 0.5, 0.1));
  EXPECT_DOUBLE_EQ(fit.point[0], 1);
  EXPECT_GT(fit.point[1], 0.5);
}

TEST(FitRobustly, VariableWithoutEffectHasNoCertainty) {
  const Residuals line = Line(2, 0.5, 0.1);
  const RobustFit fit = Fit({kFree, kFree, kFree}, line);
  EXPECT_TRUE(std::isinf(fit.standard_error[2]));
  EXPECT_EQ(fit.sensitivity[2], 0);
}

TEST(FitRobustly, CarriesErrorsOfTheResiduals) {
  const Residuals fails = [](std::span<const double>) {
    return absl::StatusOr<std::vector<double>>(InvalidInput("no chip"));
  };
  EXPECT_EQ(Message(FitRobustly(std::vector<FitVariable>{kFree}, fails, {}).status()), "no chip");
}

TEST(NormalMatrix, SolvesAndInverts) {
  NormalMatrix matrix(2);
  matrix.at(0, 0) = 4;
  matrix.at(0, 1) = matrix.at(1, 0) = 2;
  matrix.at(1, 1) = 3;
  const auto x = Solve(matrix, {8, 8});
  ASSERT_TRUE(x.has_value());
  EXPECT_NEAR((*x)[0], 1, 1e-12);
  EXPECT_NEAR((*x)[1], 2, 1e-12);
  EXPECT_NEAR((*InverseDiagonal(matrix))[0], 3.0 / 8, 1e-12);
  matrix.at(1, 1) = 1;
  EXPECT_FALSE(Solve(matrix, {1, 1}).has_value());
}

}  // namespace
}  // namespace tilewise
