// All-reduce over a slice.

#include "sim/collective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hardware/target.h"

namespace tilewise {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TorusAxes, AreAsEqualAsTheChipCountAllows) {
  EXPECT_THAT(TorusAxes(1, 2), IsEmpty());
  EXPECT_THAT(TorusAxes(4, 2), ElementsAre(2, 2));
  EXPECT_THAT(TorusAxes(8, 2), ElementsAre(4, 2));
  EXPECT_THAT(TorusAxes(256, 2), ElementsAre(16, 16));
  EXPECT_THAT(TorusAxes(64, 3), ElementsAre(4, 4, 4));
  EXPECT_THAT(TorusAxes(4, 3), ElementsAre(2, 2));
}

TEST(AllReduceTime, CrossesNoLinkOnOneChip) {
  const Chip chip = *FindChip("v3");
  const Seconds one_core = AllReduceTime({1'000'000'000}, 1, chip);
  const Seconds one_chip = AllReduceTime({1'000'000'000}, 2, chip);
  EXPECT_EQ(one_core, Seconds{});
  EXPECT_NEAR(one_chip.value, 2e9 / (450e9 * 0.85), 1e-6);
}

TEST(AllReduceTime, SendsOneAndAHalfTimesTheBytesOverTwoLinksOfFourChips) {
  const Chip chip = *FindChip("v4");
  const Seconds time = AllReduceTime({1'000'000'000}, 4, chip);
  EXPECT_NEAR(time.value, 1.5e9 / (2 * 45e9), 1e-4);
}

TEST(AllReduceTime, UsesBothDirectionsOfAClosedAxis) {
  Chip chip = *FindChip("v5e");
  const Seconds open = AllReduceTime({1'000'000'000}, 64, chip);
  chip.torus_wrap_chips = 8;
  const Seconds closed = AllReduceTime({1'000'000'000}, 64, chip);
  EXPECT_NEAR(open / closed, 2, 0.01);
}

}  // namespace
}  // namespace tilewise
