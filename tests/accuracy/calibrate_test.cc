// Measurements made with known constants give these constants back.

#include "accuracy/calibrate.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "zoo/zoo.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

absl::StatusOr<Workload> Load(const std::string& spec, bool training, int64_t) {
  return LoadZoo(spec, training);
}

// The same products in bfloat16: what a kernel pays once is told from the fill of the array there.
absl::StatusOr<Workload> LoadBf16(std::string spec, bool training, int64_t) {
  const size_t at = spec.find("dtype=f16");
  if (at != std::string::npos) spec.replace(at, 9, "dtype=bf16");
  return LoadZoo(spec, training);
}

constexpr int64_t kSides[] = {128, 256, 512, 768, 1024, 1536, 2048, 3072, 4096};

CalibrateOptions OfV4() { return {.machine = {.chip = "v4", .cores = 1}}; }

// Products whose times are those of v4 with the given kernel overhead.
std::string Table(double overhead_us, const std::string& chip = "v4",
                  const WorkloadLoader& load = LoadBf16) {
  std::string blank = "m,n,k,device_us,chip\n";
  for (const int64_t side : kSides) {
    blank += fmt::format("{0},{0},{0},1,{1}\n", side, chip);
  }
  const std::vector<MeasuredTable> tables = {{"t.csv", blank, load}};
  const auto rows = ReadCalibrationRows(tables, OfV4());
  EXPECT_TRUE(rows.ok()) << rows.status();
  std::vector<const CalibrationRow*> all;
  for (const CalibrationRow& row : rows->compared) all.push_back(&row);
  const std::vector<ChangedConstant> truth = {{"kernel_overhead_us", overhead_us, "truth"}};
  const std::vector<double> times = SimulateRows(all, *FindChipWith("v4", truth), 1);
  std::string text = "m,n,k,device_us,chip\n";
  for (size_t i = 0; i < times.size(); ++i) {
    text += fmt::format("{0},{0},{0},{1},{2}\n", kSides[i], times[i], chip);
  }
  return text;
}

Calibration Calibrated(const std::string& text, const WorkloadLoader& load = LoadBf16) {
  const auto found = Calibrate({{"my/t.csv", text, load}}, OfV4());
  EXPECT_TRUE(found.ok()) << found.status();
  return found.ok() ? *found : Calibration{};
}

TEST(Calibrate, RemovesTheErrorOfAWrongConstant) {
  const Calibration found = Calibrated(Table(3));
  EXPECT_EQ(found.fitted_rows, std::size(kSides));
  EXPECT_GT(*found.fitted_before.mape, 0.10);
  EXPECT_LT(*found.fitted_after.mape, 0.03);
  EXPECT_THAT(found.overlay, HasSubstr("base: \"v4\""));
  EXPECT_THAT(found.overlay, HasSubstr("fitted on t.csv, 9 rows"));
}

// Times of float16 follow from the compiler's choices, too, which a few rows do not determine.
TEST(Calibrate, DoesNotMakeUpForAConstantByChoices) {
  const Calibration found = Calibrated(Table(3, "v4", Load), Load);
  EXPECT_LT(*found.fitted_after.mape, 0.02);
  for (const CalibratedConstant& constant : found.constants) {
    EXPECT_NE(constant.outcome, FitOutcome::kSearched) << constant.before.field;
  }
}

TEST(Calibrate, LeavesWhatRowsDoNotDependOn) {
  const Calibration found = Calibrated(Table(3));
  const auto collective = std::find_if(
      found.constants.begin(), found.constants.end(),
      [](const auto& constant) { return constant.before.field == "collective_overhead_us"; });
  ASSERT_NE(collective, found.constants.end());
  EXPECT_EQ(collective->outcome, FitOutcome::kNoEffect);
  EXPECT_EQ(collective->after, collective->before.value);
  EXPECT_THAT(found.overlay, Not(HasSubstr("collective_overhead_us")));
}

TEST(Calibrate, SameBytesWithMoreThreads) {
  const std::string text = Table(1);
  CalibrateOptions options = OfV4();
  options.threads = 3;
  const auto found = Calibrate({{"my/t.csv", text, LoadBf16}}, options);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->overlay, Calibrated(text).overlay);
}

TEST(Calibrate, HoldsRowsOutWhenThereAreMany) {
  CalibrateOptions options = OfV4();
  options.most_rows = 5;
  const auto found = Calibrate({{"my/t.csv", Table(3), LoadBf16}}, options);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->fitted_rows, 5u);
  ASSERT_TRUE(found->held_out_after.has_value());
  EXPECT_EQ(found->held_out_after->n, 4u);
  EXPECT_LT(*found->held_out_after->mape, *found->held_out_before->mape);
}

TEST(Calibrate, FitsJustTheRowsThatMeetTheConditions) {
  CalibrateOptions options = OfV4();
  options.most_rows = 1;  // means nothing beside a condition
  options.where = {*ParseRowCondition("m<=1024")};
  const auto found = Calibrate({{"my/t.csv", Table(3), LoadBf16}}, options);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->fitted_rows, 5u);
  EXPECT_EQ(found->held_out_after->n, 4u);
  EXPECT_LT(*found->held_out_after->mape, *found->held_out_before->mape);
  options.where = {*ParseRowCondition("x<=1024")};
  EXPECT_THAT(Message(Calibrate({{"t.csv", Table(3), LoadBf16}}, options).status()),
              HasSubstr("column 'x'"));
}

// Times of large products by another rule for their windows.
TEST(Calibrate, SearchesForConstantsThatDecideBetweenWindows) {
  std::string blank = "m,n,k,device_us\n";
  for (const int64_t n : {512, 640, 768, 896, 1024, 1280, 1536, 2048}) {
    for (const int64_t k : {512, 896, 1024}) {
      blank += fmt::format("1024,{},{},1\n", n, k);
    }
  }
  const std::vector<MeasuredTable> tables = {{"t.csv", blank, Load}};
  const auto rows = ReadCalibrationRows(tables, OfV4());
  ASSERT_TRUE(rows.ok()) << rows.status();
  std::vector<const CalibrationRow*> all;
  for (const CalibrationRow& row : rows->compared) all.push_back(&row);
  const std::vector<ChangedConstant> truth = {{"matmul_row_major_stationary_cycles", 2, "truth"},
                                              {"matmul_row_major_last_cycles", 0.5, "truth"}};
  const std::vector<double> times = SimulateRows(all, *FindChipWith("v4", truth), 1);
  std::string text = "m,n,k,device_us\n";
  for (size_t i = 0; i < times.size(); ++i) {
    text += fmt::format("1024,{},{},{}\n",
                        std::array{512, 640, 768, 896, 1024, 1280, 1536, 2048}[i / 3],
                        std::array{512, 896, 1024}[i % 3], times[i]);
  }
  const Calibration found = Calibrated(text, Load);
  EXPECT_LT(*found.fitted_after.mape, 0.5 * *found.fitted_before.mape);
  EXPECT_THAT(found.overlay, HasSubstr("searched for"));
}

TEST(Calibrate, TakesOnlyRowsOfItsChip) {
  std::string text = Table(1);
  text += "512,512,512,9,v6e\n";
  EXPECT_EQ(Calibrated(text).other_chips, 1u);
  const auto few = Calibrate({{"t.csv", "m,n,k,device_us\n64,64,64,1\n", Load}}, OfV4());
  EXPECT_THAT(Message(few.status()), HasSubstr("found 1 rows to fit"));
}

}  // namespace
}  // namespace tilewise
