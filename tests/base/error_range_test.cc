// Shares of figures between the quantiles of a range.

#include "base/error_range.h"

#include <gtest/gtest.h>

namespace tilewise {
namespace {

constexpr ErrorRange kRange = {
    .low = 0.8, .high = 1.3, .lower_third = 0.9, .upper_third = 1.1, .rows = 40};

TEST(ErrorRange, TellsTheShareBelowARatio) {
  EXPECT_DOUBLE_EQ(kRange.ShareBelow(0.9), 1.0 / 3);
  EXPECT_DOUBLE_EQ(kRange.ShareBelow(1.0), 0.5);
  EXPECT_DOUBLE_EQ(kRange.ShareBelow(1.1), 2.0 / 3);
}

TEST(ErrorRange, KnowsNothingBeyondItsQuantiles) {
  EXPECT_DOUBLE_EQ(kRange.ShareBelow(0.1), 0.05);
  EXPECT_DOUBLE_EQ(kRange.ShareBelow(1.3), 0.95);
  EXPECT_DOUBLE_EQ(kRange.ShareBelow(9), 0.95);
}

TEST(ErrorRange, GrowsWithTheRatio) {
  double last = 0;
  for (double ratio = 0.5; ratio < 1.5; ratio += 0.01) {
    EXPECT_GE(kRange.ShareBelow(ratio), last);
    last = kRange.ShareBelow(ratio);
  }
}

}  // namespace
}  // namespace tilewise
