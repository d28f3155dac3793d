// The double-buffered loop of one kernel.

#include "sim/window_pipeline.h"

#include <gtest/gtest.h>

namespace tilewise {
namespace {

WindowLoop Loop(double load, double compute, double store, int64_t steps) {
  return {.steps = steps,
          .double_buffered = true,
          .load = {load},
          .compute = {compute},
          .store = {store},
          .latency = {},
          .fill = {}};
}

TEST(RunWindowLoop, ExposesFirstLoadAndLastStoreOfBusyCompute) {
  EXPECT_DOUBLE_EQ(RunWindowLoop(Loop(1, 10, 2, 5)).value, 1 + 5 * 10 + 2);
}

TEST(RunWindowLoop, IsBoundByTheChannelWhenItIsBusier) {
  EXPECT_DOUBLE_EQ(RunWindowLoop(Loop(6, 1, 4, 100)).value, 100 * 10);
}

TEST(RunWindowLoop, AddsUpWithOneBuffer) {
  WindowLoop loop = Loop(1, 10, 2, 5);
  loop.double_buffered = false;
  EXPECT_DOUBLE_EQ(RunWindowLoop(loop).value, 5 * 13);
}

TEST(RunWindowLoop, FoldsManyStepsWithoutAJump) {
  const double ten_thousand = RunWindowLoop(Loop(2, 3, 1, 10000)).value;
  const double one_more = RunWindowLoop(Loop(2, 3, 1, 10001)).value;
  EXPECT_NEAR(one_more - ten_thousand, 3, 1e-6);
  EXPECT_DOUBLE_EQ(RunWindowLoop(Loop(2, 3, 1, 16)).value + 3,
                   RunWindowLoop(Loop(2, 3, 1, 17)).value);
}

TEST(RunWindowLoop, ChargesEachStepAfterTheFirst) {
  WindowLoop loop = Loop(1, 10, 2, 5);
  loop.overhead = {0.5};
  EXPECT_DOUBLE_EQ(RunWindowLoop(loop).value, 1 + 5 * 10 + 2 + 4 * 0.5);
  loop.steps = 1;
  EXPECT_DOUBLE_EQ(RunWindowLoop(loop).value, 1 + 10 + 2);
}

TEST(RunWindowLoop, MixesAllTransfersButTheFirstLoadAndTheLastStore) {
  WindowLoop loop = Loop(6, 1, 4, 100);
  loop.mixing = 1.5;
  EXPECT_NEAR(RunWindowLoop(loop).value, 10 + 99 * 10 * 1.5, 1e-9);
  EXPECT_NEAR(ChannelTime(loop).value, 10 + 99 * 10 * 1.5, 1e-9);
}

TEST(RunWindowLoop, DoesNotMixWhatTakesTurns) {
  WindowLoop loop = Loop(6, 1, 4, 10);
  loop.mixing = 1.5;
  loop.double_buffered = false;
  EXPECT_DOUBLE_EQ(RunWindowLoop(loop).value, 10 * 11);
  EXPECT_DOUBLE_EQ(ChannelTime(loop).value, 10 * 10);
}

TEST(RunWindowLoop, TakesABillionStepsAtOnce) {
  EXPECT_NEAR(RunWindowLoop(Loop(0, 1, 0, 1'000'000'000)).value, 1e9, 1);
}

}  // namespace
}  // namespace tilewise
