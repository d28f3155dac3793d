// Minima of costs that jump.

#include "accuracy/factor_search.h"

#include <cmath>

#include <gtest/gtest.h>

namespace tilewise {
namespace {

constexpr SearchedVariable kVariables[] = {{1, 0.01, 100}, {1, 0.01, 100}};

// A stair with its lowest step around 7; the second variable changes nothing.
absl::StatusOr<double> Stair(std::span<const double> point) {
  return std::floor(10 * std::abs(std::log(point[0] / 7)));
}

TEST(SearchByFactors, DescendsAStair) {
  const auto found = SearchByFactors(kVariables, Stair);
  ASSERT_TRUE(found.ok());
  EXPECT_LT(found->cost, found->start_cost);
  EXPECT_NEAR(found->point[0], 7, 1.5);
}

TEST(SearchByFactors, LeavesAndNamesWhatChangesNothing) {
  const auto found = SearchByFactors(kVariables, Stair);
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found->matters[0]);
  EXPECT_FALSE(found->matters[1]);
  EXPECT_EQ(found->point[1], 1);
}

TEST(SearchByFactors, StaysWithinTheBounds) {
  constexpr SearchedVariable kNarrow[] = {{1, 0.5, 3}};
  const auto found = SearchByFactors(kNarrow, Stair);
  ASSERT_TRUE(found.ok());
  EXPECT_DOUBLE_EQ(found->point[0], 3);
}

TEST(SearchByFactors, HandsErrorsOn) {
  const auto found = SearchByFactors(
      kVariables,
      [](std::span<const double>) -> absl::StatusOr<double> { return InvalidInput("no"); });
  EXPECT_EQ(Message(found.status()), "no");
}

}  // namespace
}  // namespace tilewise
