// Two sides beside each other: figures, layers, findings and budgets.

#include "report/difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tilewise {
namespace {

using ::testing::HasSubstr;

ErrorRange Range(double low, double high) {
  ErrorRange range;
  range.low = low;
  range.high = high;
  return range;
}

DiffSide Side(double step, int64_t batch = 64) {
  DiffSide side;
  side.name = "train.py";
  side.global_batch = batch;
  side.step = Seconds{step};
  side.time_range = Range(0.8, 1.25);
  side.hbm = Bytes{int64_t{4} << 30};
  side.available = Bytes{int64_t{15} << 30};
  side.groups = {{"conv1", "Conv2D", {"train.py", 3, 1}, Seconds{step / 2}},
                 {"dense", "dot", {"train.py", 5, 1}, Seconds{step / 4}}};
  return side;
}

SideFinding Found(const std::string& key) {
  SideFinding finding;
  finding.key = key;
  finding.finding.rule = "IP001";
  finding.finding.message = key;
  return finding;
}

std::string TextOf(const Difference& difference, std::string_view format = "text") {
  return FindFormat<Difference>(format)->render(difference, {});
}

TEST(Difference, ASmallChangeIsInsideTheRangeAndALargeOneIsNot) {
  const Difference small = Compare(Side(0.100), Side(0.110), {});
  EXPECT_TRUE(small.Find(FigureKind::kStep)->inside_range);
  EXPECT_THAT(TextOf(small), HasSubstr("the step is slower by 10 %, inside the range"));
  const Difference large = Compare(Side(0.100), Side(0.050), {});
  EXPECT_FALSE(large.Find(FigureKind::kStep)->inside_range);
  EXPECT_THAT(TextOf(large), HasSubstr("faster by 50 % (2.00 times), outside the range"));
}

TEST(Difference, EqualSidesAreTheSame) {
  const Difference same = Compare(Side(0.1), Side(0.1), {});
  EXPECT_THAT(TextOf(same), HasSubstr("the step takes the same time"));
  EXPECT_TRUE(same.layers.empty());
}

TEST(Difference, TimesOfOtherBatchesAreComparedPerExample) {
  const Difference difference = Compare(Side(0.1, 64), Side(0.15, 128), {});
  EXPECT_TRUE(difference.per_example);
  EXPECT_DOUBLE_EQ(difference.Find(FigureKind::kStep)->ratio, 0.75);
  EXPECT_DOUBLE_EQ(difference.layers.front().change().value, 0.075 / 2 - 0.05);
}

TEST(Difference, LayersComeByTheSizeOfTheirChangeWithTheirLines) {
  DiffSide after = Side(0.1);
  after.groups[1].time = Seconds{0.1};
  after.groups.push_back({"new", "dot", {"train.py", 9, 1}, Seconds{0.001}});
  const Difference difference = Compare(Side(0.1), after, {});
  ASSERT_EQ(difference.layers.size(), 2u);
  EXPECT_EQ(difference.layers[0].name, "dense");
  EXPECT_EQ(difference.layers[1].name, "new");
  EXPECT_FALSE(difference.layers[1].before.has_value());
  EXPECT_THAT(TextOf(difference), HasSubstr("train.py:9"));
}

TEST(Difference, FindingsThatCameAndWentAreThoseOfOneSide) {
  DiffSide before = Side(0.1), after = Side(0.1);
  before.findings = {Found("both"), Found("old")};
  after.findings = {Found("both"), Found("both"), Found("new")};
  const Difference difference = Compare(before, after, {});
  EXPECT_EQ(difference.came.size(), 2u);  // "new", and one more of "both"
  ASSERT_EQ(difference.went.size(), 1u);
  EXPECT_EQ(difference.went[0].message, "old");
}

TEST(Difference, ABudgetIsKeptOrExceeded) {
  const BudgetLimit step = *ParseBudget("step=+3%");
  const BudgetLimit hbm = *ParseBudget("hbm=+1GiB");
  DiffSide after = Side(0.102);
  after.hbm = Bytes{int64_t{6} << 30};
  const Difference difference = Compare(Side(0.1), after, {step, hbm});
  EXPECT_TRUE(difference.budget[0].kept);
  EXPECT_FALSE(difference.budget[1].kept);
  EXPECT_FALSE(difference.within_budget());
  EXPECT_THAT(TextOf(difference, "markdown"), HasSubstr("over the budget"));
}

TEST(Difference, AFigureThatIsNotKnownKeepsNoBudget) {
  DiffSide after = Side(0.1);
  after.compile.reset();
  EXPECT_FALSE(Compare(Side(0.1), after, {*ParseBudget("compile=+20%")}).within_budget());
}

TEST(Difference, AStepThatNoLongerFitsIsSaid) {
  DiffSide after = Side(0.05);
  after.hbm = Bytes{int64_t{16} << 30};
  const Difference difference = Compare(Side(0.1), after, {*ParseBudget("step=+0%")});
  EXPECT_TRUE(difference.no_longer_fits);
  EXPECT_FALSE(difference.within_budget());
}

TEST(Difference, AMeasurementIsHeldAgainstTheRangeOfThePrediction) {
  DiffSide log = Side(0.12);
  log.kind = SideKind::kLog;
  log.time_range.reset();
  EXPECT_TRUE(Compare(Side(0.1), log, {}).Find(FigureKind::kStep)->inside_range);
  EXPECT_FALSE(Compare(Side(0.05), log, {}).Find(FigureKind::kStep)->inside_range);
}

TEST(Difference, JsonHasNullsForWhatIsNotKnown) {
  const auto json = nlohmann::json::parse(TextOf(Compare(Side(0.1), Side(0.2), {}), "json"));
  EXPECT_TRUE(json["before"]["compile_seconds"].is_null());
  EXPECT_DOUBLE_EQ(json["figures"][0]["ratio"].get<double>(), 2);
}

TEST(Budget, WordsThatAreNoLimitAreErrors) {
  for (const std::string_view text : {"step", "step=", "speed=+3%", "step=+1GiB", "hbm=+3ms"}) {
    EXPECT_FALSE(ParseBudget(text).ok()) << text;
  }
  EXPECT_DOUBLE_EQ(ParseBudget("compile=+10s")->amount, 10);
  EXPECT_DOUBLE_EQ(*ParseBudget("step=3%")->share, 0.03);
}

}  // namespace
}  // namespace tilewise
