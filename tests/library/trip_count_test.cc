// Loops that compare a counter with a limit.

#include "library/trip_count.h"

#include <gtest/gtest.h>

namespace tilewise {
namespace {

TEST(TripsWhile, CountsUpAndDown) {
  EXPECT_EQ(TripsWhile(Comparison::kLt, -10, 3), 4);
  EXPECT_EQ(TripsWhile(Comparison::kLe, -9, 3), 4);
  EXPECT_EQ(TripsWhile(Comparison::kGt, 10, -3), 4);
  EXPECT_EQ(TripsWhile(Comparison::kGe, 9, -3), 4);
  EXPECT_EQ(TripsWhile(Comparison::kNe, -8, 2), 4);
}

TEST(TripsWhile, IsNoneWhereTheConditionNeverHolds) {
  EXPECT_EQ(TripsWhile(Comparison::kLt, 0, 1), 0);
  EXPECT_EQ(TripsWhile(Comparison::kLt, 5, -1), 0);
  EXPECT_EQ(TripsWhile(Comparison::kGe, -1, -1), 0);
}

TEST(TripsWhile, IsUnknownWhereItHoldsForEver) {
  EXPECT_EQ(TripsWhile(Comparison::kLt, -5, 0), std::nullopt);
  EXPECT_EQ(TripsWhile(Comparison::kLt, -5, -1), std::nullopt);
  EXPECT_EQ(TripsWhile(Comparison::kNe, -5, 0), std::nullopt);
  EXPECT_EQ(TripsWhile(Comparison::kEq, 0, 1), std::nullopt);
}

}  // namespace
}  // namespace tilewise
