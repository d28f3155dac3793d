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
  cost.bytes = Bytes{1024};
  EXPECT_EQ(CostInWords(cost), "1.00 KiB of HBM");
}

TEST(CostInWords, SaysWhyACostIsNotKnown) {
  Cost cost;
  EXPECT_EQ(CostInWords(cost), "");
  cost.unknown = "no model was read";
  EXPECT_EQ(CostInWords(cost), "not known: no model was read");
  cost.bytes = Bytes{1024};
  EXPECT_EQ(CostInWords(cost), "1.00 KiB of HBM");
}

TEST(SavingInWords, NamesGainsAndLosses) {
  Saving saving{.time_per_step = {0.012}, .share_of_step = 0.3};
  EXPECT_EQ(SavingInWords(saving), "saves 12.0 ms per step (30 % of the device step) if applied");
  saving.hbm = {-1024};
  EXPECT_EQ(SavingInWords(saving),
            "saves 12.0 ms per step (30 % of the device step) but takes 1.00 "
            "KiB of HBM if applied");
  saving.time_per_step = {-0.012};
  saving.share_of_step = -0.3;
  saving.of_wall_step = true;
  saving.hbm = {};
  EXPECT_EQ(SavingInWords(saving), "loses 12.0 ms per step (30 % of the step) if applied");
  EXPECT_EQ(SavingInWords({}), "saves nothing measurable");
}

TEST(SavesTheCost, NeedsTheSameFiguresAndNoOthers) {
  Diagnostic finding;
  finding.cost.time_per_step = Seconds{0.012};
  EXPECT_FALSE(SavesTheCost(finding));
  finding.saving = Saving{.time_per_step = {0.01201}};
  EXPECT_TRUE(SavesTheCost(finding));
  finding.cost.once_per_run = Seconds{1};
  EXPECT_FALSE(SavesTheCost(finding));
  finding.cost.once_per_run.reset();
  finding.saving->time_per_step = {0.006};
  EXPECT_FALSE(SavesTheCost(finding));
}

TEST(SavesTheCost, IsTrueOfACostOfNothing) {
  Diagnostic finding;
  finding.cost.time_per_step = Seconds{};
  finding.saving = Saving{};
  EXPECT_TRUE(SavesTheCost(finding));
  finding.saving->time_per_step = {0.012};
  EXPECT_TRUE(SavesTheCost(finding));
  finding.cost.bytes = Bytes{1024};
  EXPECT_FALSE(SavesTheCost(finding));
}

TEST(FixLabel, SaysHowSafeItIs) {
  EXPECT_EQ(FixLabel({}), "fix");
  EXPECT_EQ(FixLabel({.applicability = Applicability::kSafe}), "fix (safe)");
  EXPECT_EQ(FixLabel({.applicability = Applicability::kUnsafe, .changes_numerics = true}),
            "fix (unsafe, changes numerics)");
}

TEST(FindingInLines, HasMessageCostSavingAndFix) {
  Diagnostic finding;
  finding.message = "too wide";
  finding.cost.bytes = Bytes{1024};
  finding.saving = Saving{};
  finding.fix.text = "narrow it";
  EXPECT_EQ(FindingInLines(finding),
            "too wide\ncost: 1.00 KiB of HBM\nsaves nothing measurable\n"
            "fix: narrow it");
}

}  // namespace
}  // namespace tilewise
