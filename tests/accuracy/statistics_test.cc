// Errors and ranks against values worked out by hand.

#include "accuracy/statistics.h"

#include <gtest/gtest.h>

namespace tilewise {
namespace {

TEST(Summarize, MeanAndMedianOfAbsoluteErrorsAndTheSignedMedian) {
  const Pair pairs[] = {{100, 110}, {100, 80}, {100, 70}};
  const ErrorSummary errors = Summarize(pairs);
  EXPECT_EQ(errors.n, 3u);
  EXPECT_NEAR(*errors.mape, 0.2, 1e-12);
  EXPECT_NEAR(*errors.median_ape, 0.2, 1e-12);
  EXPECT_NEAR(*errors.bias, -0.2, 1e-12);
}

TEST(Summarize, NothingOfNoRows) {
  const ErrorSummary errors = Summarize({});
  EXPECT_EQ(errors.n, 0u);
  EXPECT_FALSE(errors.mape || errors.median_ape || errors.bias);
}

// Means of 1 and 5 around 3: 16 between the groups, 2 within, of which each value has its own.
TEST(SharedPart, IsOfTheVarianceBetweenGroups) {
  const std::vector<double> apart[] = {{0, 2}, {4, 6}};
  EXPECT_NEAR(*SharedPart(apart), 7.0 / 9, 1e-12);
  const std::vector<double> alike[] = {{0, 2}, {2, 0}};
  EXPECT_EQ(*SharedPart(alike), 0);
}

TEST(SharedPart, IsNotToldByOneGroupOrSingleValues) {
  const std::vector<double> one[] = {{0, 2, 4}};
  EXPECT_FALSE(SharedPart(one));
  const std::vector<double> single[] = {{0}, {2}};
  EXPECT_FALSE(SharedPart(single));
}

TEST(WeightInGroup, FallsToWhatTheGroupKnowsTogether) {
  EXPECT_EQ(WeightInGroup(1, 0.5), 1);
  EXPECT_NEAR(WeightInGroup(5, 0.5), 1.0 / 3, 1e-12);
  EXPECT_NEAR(1000 * WeightInGroup(1000, 0.5), 2, 0.01);
}

TEST(Median, MeanOfTheTwoInTheMiddle) {
  EXPECT_EQ(Median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(Median({9}), 9);
}

TEST(Spearman, OrderAlone) {
  const Pair same[] = {{1, 10}, {2, 11}, {3, 1000}};
  EXPECT_NEAR(*Spearman(same), 1, 1e-12);
  const Pair turned[] = {{1, 3}, {2, 2}, {3, 1}};
  EXPECT_NEAR(*Spearman(turned), -1, 1e-12);
}

// Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / sqrt(4.5 x 5).
TEST(Spearman, EqualValuesShareTheirRank) {
  const Pair pairs[] = {{1, 1}, {2, 2}, {2, 3}, {5, 4}};
  EXPECT_NEAR(*Spearman(pairs), 0.9486833, 1e-6);
}

TEST(Spearman, NoneWithoutTwoValues) {
  const Pair one[] = {{1, 1}};
  EXPECT_FALSE(Spearman(one));
  const Pair flat[] = {{1, 1}, {1, 2}};
  EXPECT_FALSE(Spearman(flat));
}

}  // namespace
}  // namespace tilewise
