// Tables of HBM, and the ranges that measured figures give.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accuracy/ranges.h"
#include "accuracy/read_set.h"

namespace tilewise {
namespace {

using testing::HasSubstr;

constexpr char kHeader[] = "id,optimizer,other,metric,value,limit_gib,spec,source,grade\n";

std::vector<Point> PointsOf(const std::string& rows) {
  const auto set = ReadMeasuredSet("m.csv", kHeader + rows);
  EXPECT_TRUE(set.ok()) << set.status();
  return set.ok() ? set->points : std::vector<Point>();
}

TEST(MemorySet, ReadsACommandLineAndTheTypesThatTheRowNames) {
  const auto points = PointsOf(
      "a,\"AdamW, mu in bf16\",gradients in bf16,used_gib,20,15.75,"
      "zoo:mlp --chip v5e --cores 4 --mesh fsdp=4 --batch-per-core 8 --optimizer adamw,x/y z,A\n");
  ASSERT_EQ(points.size(), 1u);
  const Point& point = points[0];
  EXPECT_EQ(point.spec, "zoo:mlp");
  EXPECT_EQ(point.chip, "v5e");
  EXPECT_EQ(point.global_batch, 32);
  EXPECT_EQ(point.momentum_type, DType::kBF16);
  EXPECT_EQ(point.gradient_type, DType::kBF16);
  EXPECT_EQ(point.figure.quantity, Quantity::kPeak);
  EXPECT_TRUE(point.out_of_memory);  // above the limit
  EXPECT_TRUE(point.has_figure());
  EXPECT_EQ(point.source, "x/y");
}

TEST(MemorySet, AVerdictIsNoFigure) {
  const auto points = PointsOf(
      "a,,,oom,1,15.75,zoo:mlp --chip v5e,s,A\n"
      "b,,,largest_batch,64,15.75,zoo:mlp --chip v5e,s,C\n");
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].figure.value, 0);
  EXPECT_EQ(points[1].figure.value, 1);
  EXPECT_FALSE(points[0].has_figure());
  EXPECT_FALSE(points[1].counted);
}

TEST(MemorySet, AFlagThatItDoesNotKnowIsSaid) {
  const auto points = PointsOf("a,,,oom,1,15.75,zoo:mlp --frobnicate 3,s,A\n");
  ASSERT_EQ(points.size(), 1u);
  EXPECT_THAT(points[0].not_simulated, HasSubstr("--frobnicate"));
}

TEST(MemorySet, RefusesMetricsAndSizesThatMeanNothing) {
  const auto read = [](const std::string& row) {
    return std::string(ReadMeasuredSet("m.csv", kHeader + row).status().message());
  };
  EXPECT_THAT(read("a,,,nonsense,3,15,zoo:mlp,s,A\n"), HasSubstr("'metric'"));
  EXPECT_THAT(read("a,,,used_gib,-3,15,zoo:mlp,s,A\n"), HasSubstr("'value'"));
}

ComparedRow RowOf(double measured, double simulated, const std::string& source) {
  ComparedRow row;
  row.point.source = source;
  row.point.figure.value = measured;
  row.prediction = Prediction();
  row.prediction->value = simulated;
  row.prediction->bound = "MXU";
  row.prediction->chip = "v9";
  return row;
}

TEST(Ranges, HoldNineOfTenFigures) {
  SetAccuracy set;
  set.kind = "measurements";
  for (int i = 1; i <= 39; ++i) {
    set.comparisons.push_back(RowOf(80 + i, 100, i % 2 == 0 ? "one" : "other"));
  }
  const SetAccuracy sets[] = {set};
  EXPECT_THAT(RangesTable(sets), HasSubstr("time,MXU,v9,39,39.0,0.820,0.933,1.067,1.180,"));
}

// Nine of ten of 25 sources lie between 0.81 and 1.29, whatever the figures of one of them.
TEST(Ranges, AreNotThoseOfTheSourceWithMostFigures) {
  SetAccuracy set;
  set.kind = "measurements";
  for (int i = 0; i < 500; ++i) set.comparisons.push_back(RowOf(99 + i % 3, 100, "large"));
  for (int i = 0; i < 25; ++i) {
    set.comparisons.push_back(RowOf(80 + 2 * i, 100, "small " + std::to_string(i)));
  }
  const SetAccuracy sets[] = {set};
  const std::string table = RangesTable(sets);
  const size_t at = table.find("time,all,all,525,");
  ASSERT_NE(at, std::string::npos) << table;
  EXPECT_THAT(table.substr(at), HasSubstr(",0.80")) << "low";
  EXPECT_THAT(table.substr(at), HasSubstr(",1.27")) << "high";
}

TEST(Ranges, LeaveOutStepsThatWaitForTheirHost) {
  SetAccuracy set;
  set.kind = "measurements";
  for (int i = 0; i < 40; ++i) {
    set.comparisons.push_back(RowOf(200, 100, "one"));
    set.comparisons.back().prediction->bound = "host";
  }
  const SetAccuracy sets[] = {set};
  EXPECT_EQ(RangesTable(sets).find("time"), std::string::npos);
}

TEST(Ranges, HaveTheNameOfAChipThatReportsHave) {
  SetAccuracy set;
  set.kind = "measurements";
  for (int i = 1; i <= 39; ++i) {
    set.comparisons.push_back(RowOf(80 + i, 100, i % 2 == 0 ? "one" : "other"));
    set.comparisons.back().point.chip = i % 3 == 0 ? "its alias" : "v9";
  }
  const SetAccuracy sets[] = {set};
  EXPECT_THAT(RangesTable(sets), HasSubstr("time,MXU,v9,39,"));
  EXPECT_THAT(RangesTable(sets), Not(HasSubstr("alias")));
}

// A source of 20 figures from 0.9 to 1.1, and one of three of which one lies outside.
TEST(Ranges, AreHeldAgainstSourcesThatTheyAreNotFrom) {
  SetAccuracy large, small;
  large.kind = small.kind = "measurements";
  large.name = "large";
  small.name = "small";
  for (int i = 0; i < 20; ++i) large.comparisons.push_back(RowOf(90 + i, 100, "one"));
  for (const double measured : {95.0, 105.0, 150.0}) {
    small.comparisons.push_back(RowOf(measured, 100, "other"));
    small.comparisons.back().point.group = "moe";
  }
  const SetAccuracy sets[] = {large, small};
  const std::vector<HeldFigures> held = FiguresHeld(sets);
  ASSERT_EQ(held.size(), 3u);
  EXPECT_EQ(held[0].name, "large");
  EXPECT_EQ(held[0].figures, 20u);
  EXPECT_EQ(held[1].name, "small: moe");
  EXPECT_EQ(held[1].held, 2u);
  EXPECT_EQ(held[2].name, "all: moe");
  EXPECT_EQ(held[2].figures, 3u);
}

TEST(Ranges, OfAKindWithFewFiguresAreThoseOfAll) {
  SetAccuracy set;
  set.kind = "measurements";
  for (int i = 1; i <= 5; ++i) set.comparisons.push_back(RowOf(100, 100, "one"));
  const SetAccuracy sets[] = {set};
  EXPECT_EQ(RangesTable(sets).find("MXU"), std::string::npos);
  EXPECT_THAT(RangesTable(sets), HasSubstr("time,all,all,5,"));
}

TEST(Ranges, AStepThatIsMadeToFitIsAsSureAsThoseThatRan) {
  SetAccuracy set;
  set.kind = "memory";
  for (int i = 0; i < 9; ++i) {
    ComparedRow row = RowOf(i == 8 ? 0 : 1, 1, i < 6 ? "one" : "other");
    row.point.figure.quantity = Quantity::kFits;
    row.prediction->made_to_fit = i != 0;
    set.comparisons.push_back(row);
  }
  // Five of the one ran, and two of three of the other: 8 of 10, 3 of 5 or 6 of 7.
  const SetAccuracy sets[] = {set};
  EXPECT_THAT(RangesTable(sets), HasSubstr("made to fit,all,all,8,,0.600,,,0.857,0.56,0.800\n"));
}

TEST(Ranges, OfMemoryAreNotMadeOfOneModel) {
  SetAccuracy set;
  set.kind = "memory";
  for (int i = 0; i < 30; ++i) {
    set.comparisons.push_back(RowOf(2, 1, "one"));
    set.comparisons.back().point.figure.quantity = Quantity::kPeak;
  }
  const SetAccuracy of_one_model[] = {set};
  EXPECT_EQ(RangesTable(of_one_model).find("memory"), std::string::npos);
  set.comparisons.front().point.source = "other";
  const SetAccuracy of_two[] = {set};
  EXPECT_NE(RangesTable(of_two).find("memory,all"), std::string::npos);
}

TEST(Ranges, EveryStepHasOne) {
  const auto range = TimeRange("MXU", "a chip that nobody measured");
  ASSERT_TRUE(range.has_value());
  EXPECT_LT(range->low, 1);
  EXPECT_GT(range->high, 1);
  const auto memory = MemoryRange(true, "v6e");
  ASSERT_TRUE(memory.has_value());
  EXPECT_TRUE(memory->made_to_fit.has_value());
}

}  // namespace
}  // namespace tilewise
