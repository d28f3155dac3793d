// Loops that compare a counter with a limit.

#include "library/trip_count.h"

#include <gtest/gtest.h>

#include "base/math.h"

namespace tilewise {
namespace {

TEST(IterationsWhile, CountsUpAndDown) {
  EXPECT_EQ(IterationsWhile(Comparison::kLt, -10, 3), 4);
  EXPECT_EQ(IterationsWhile(Comparison::kLe, -9, 3), 4);
  EXPECT_EQ(IterationsWhile(Comparison::kGt, 10, -3), 4);
  EXPECT_EQ(IterationsWhile(Comparison::kGe, 9, -3), 4);
  EXPECT_EQ(IterationsWhile(Comparison::kNe, -8, 2), 4);
}

TEST(IterationsWhile, IsNoneWhereTheConditionNeverHolds) {
  EXPECT_EQ(IterationsWhile(Comparison::kLt, 0, 1), 0);
  EXPECT_EQ(IterationsWhile(Comparison::kLt, 5, -1), 0);
  EXPECT_EQ(IterationsWhile(Comparison::kGe, -1, -1), 0);
}

TEST(IterationsWhile, IsUnknownWhereItHoldsForEver) {
  EXPECT_EQ(IterationsWhile(Comparison::kLt, -5, 0), std::nullopt);
  EXPECT_EQ(IterationsWhile(Comparison::kLt, -5, -1), std::nullopt);
  EXPECT_EQ(IterationsWhile(Comparison::kNe, -5, 0), std::nullopt);
  EXPECT_EQ(IterationsWhile(Comparison::kEq, 0, 1), std::nullopt);
}

TEST(LoopWithin, RunsOnEachTripOfTheOuterLoop) {
  const EnclosingLoop outer = LoopWithin({}, 3, 10);
  EXPECT_EQ(outer, (EnclosingLoop{3, 10}));
  EXPECT_EQ(LoopWithin(outer, 4, 7), (EnclosingLoop{4, 70}));
}

TEST(LoopWithin, StaysWithinWhatCanBeCounted) {
  const EnclosingLoop outer = LoopWithin({}, 1, int64_t{1} << 40);
  EXPECT_EQ(LoopWithin(outer, 2, int64_t{1} << 40).trip_count, kMaxElements);
}

}  // namespace
}  // namespace tilewise
