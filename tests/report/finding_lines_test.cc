// Costs in words.

#include "report/finding_lines.h"

#include <gtest/gtest.h>

namespace tilewise {
namespace {

TEST(CostInWords, NamesTheStepItIsAShareOf) {
  Cost cost;
  cost.time_per_step = Seconds{0.012};
  cost.share_of_step = 0.31;
  EXPECT_EQ(CostInWords(cost), "12.0 ms per step (31 % of the device step)");
  cost.of_wall_step = true;
  EXPECT_EQ(CostInWords(cost), "12.0 ms per step (31 % of the step)");
}

TEST(CostInWords, KeepsWhatIsPaidOnceApartFromTheStep) {
  Cost cost;
  cost.once_per_run = Seconds{1.5};
  EXPECT_EQ(CostInWords(cost), "1.50 s once per run");
  cost.time_per_step = Seconds{0.012};
  EXPECT_EQ(CostInWords(cost), "12.0 ms per step, 1.50 s once per run");
}

TEST(CostInWords, SaysNothingPerStepForZero) {
  Cost cost;
  cost.time_per_step = Seconds{};
  cost.share_of_step = 0;
  EXPECT_EQ(CostInWords(cost), "nothing per step");
}

TEST(CostInWords, SaysWhyACostIsNotKnown) {
  Cost cost;
  EXPECT_EQ(CostInWords(cost), "");
  cost.unknown = "no model was read";
  EXPECT_EQ(CostInWords(cost), "not known: no model was read");
  cost.bytes = Bytes{1024};
  EXPECT_EQ(CostInWords(cost), "1.00 KiB of HBM");
}

}  // namespace
}  // namespace tilewise
