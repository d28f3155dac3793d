// Which batch sizes and steps_per_execution are tried, and which may be chosen.

#include "tuner/candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilewise {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::Not;

TEST(BoundBatch, LeavesFiveStepsOfAnEpoch) {
  const BatchBounds bounds = BoundBatch(std::nullopt, 50000, 8);
  EXPECT_EQ(bounds.shown, 50000);
  EXPECT_EQ(bounds.chosen, 10000);
  EXPECT_THAT(bounds.constraints, ElementsAre(HasSubstr("10,000")));
}

TEST(BoundBatch, TakesTheUsersMaximumOverItsOwn) {
  const BatchBounds bounds = BoundBatch(25000, 50000, 8);
  EXPECT_EQ(bounds.shown, 25000);
  EXPECT_EQ(bounds.chosen, 25000);
}

TEST(BoundBatch, StaysWithinPublishedRunsWhereTheDataHaveNoEnd) {
  const BatchBounds training = BoundBatch(std::nullopt, std::nullopt, 8);
  EXPECT_EQ(training.chosen, kLargestPublishedBatch);
  EXPECT_GT(training.shown, training.chosen);
  EXPECT_THAT(training.constraints, ElementsAre(HasSubstr("65,536")));
  EXPECT_EQ(BoundBatch(std::nullopt, std::nullopt, 16384).chosen, 8 * 16384);
  const BatchBounds inference = BoundBatch(std::nullopt, std::nullopt, 8, false);
  EXPECT_EQ(inference.chosen, inference.shown);
}

TEST(BoundBatch, NamesWhatBindsAlone) {
  EXPECT_THAT(BoundBatch(std::nullopt, 1'281'167, 8, true).constraints,
              testing::ElementsAre(testing::HasSubstr("largest published runs")));
  EXPECT_THAT(BoundBatch(std::nullopt, 50'000, 8, true).constraints,
              testing::ElementsAre(testing::HasSubstr("50,000 examples make at least 5 steps")));
}

TEST(BatchLadder, DoublesFromTheSublanesWithHalfWayPointsOfWholeLanes) {
  EXPECT_THAT(BatchLadder(BoundBatch(4096, std::nullopt, 8), 8, std::nullopt),
              ElementsAre(8, 16, 32, 64, 128, 256, 384, 512));
}

TEST(BatchLadder, KeepsTheUsersOwnUnalignedBatch) {
  EXPECT_THAT(BatchLadder(BoundBatch(1024, std::nullopt, 8), 8, 100), Contains(100));
}

TEST(BatchLadder, GoesBelowTheSublanesOnlyWhenTheBoundLeavesNothingElse) {
  EXPECT_THAT(BatchLadder(BoundBatch(32, std::nullopt, 8), 8, std::nullopt), ElementsAre(1, 2, 4));
}

TEST(KeepMultiples, LeavesBatchesOfEqualParts) {
  std::vector<int64_t> ladder = {8, 16, 24, 100};
  KeepMultiples(ladder, 4);
  EXPECT_THAT(ladder, ElementsAre(8, 16, 24, 100));
  KeepMultiples(ladder, 3);
  EXPECT_THAT(ladder, ElementsAre(24));
  KeepMultiples(ladder, 5);
  EXPECT_THAT(ladder, ElementsAre(5));
}

TEST(BatchLadder, StaysWithinTheDataSet) {
  const auto ladder = BatchLadder(BoundBatch(std::nullopt, 50000, 8), 8, std::nullopt);
  EXPECT_THAT(ladder, Each(Le(50000 / 8)));
  EXPECT_THAT(ladder, Contains(6248));  // the largest multiple of 8
}

TEST(ExecutionLadder, EndsAtTheStepsOfAnEpoch) {
  EXPECT_THAT(ExecutionLadder(12), ElementsAre(1, 2, 5, 10, 12));
  EXPECT_THAT(ExecutionLadder(1), ElementsAre(1));
  EXPECT_THAT(ExecutionLadder(std::nullopt), Contains(1000));
  EXPECT_THAT(ExecutionLadder(0), Not(IsEmpty()));
}

}  // namespace
}  // namespace tilewise
