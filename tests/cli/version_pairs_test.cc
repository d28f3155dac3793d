// Versions of programs that were measured on TPUs before and after a change
// (validation/version-pairs.csv), against what `diff` says of them.

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "accuracy/csv.h"
#include "base/read_file.h"
#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

constexpr char kPairs[] = TILEWISE_SOURCE_DIR "/validation/version-pairs.csv";

// A range holds nine of ten figures.
TEST(VersionPairs, AreFasterAsMeasuredAndTheSizeIsMostlyWithinTheRange) {
  const auto text = ReadRegularFile(kPairs, 1 << 20);
  ASSERT_TRUE(text.ok()) << text.status();
  const auto csv = Csv::Parse(kPairs, *text);
  ASSERT_TRUE(csv.ok()) << csv.status();
  ASSERT_GE(csv->rows(), 10U);
  size_t within = 0;
  for (size_t row = 0; row < csv->rows(); ++row) {
    SCOPED_TRACE(csv->Cell(row, "commit") + ": " + csv->Cell(row, "change"));
    const double measured = csv->Number(row, "ratio").value();
    const RunResult run = RunTilewise(
        fmt::format("diff {} {} {} --old '{}' --new '{}' --format json", csv->Cell(row, "old"),
                    csv->Cell(row, "new"), csv->Cell(row, "options"), csv->Cell(row, "old_options"),
                    csv->Cell(row, "new_options")));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto step = nlohmann::json::parse(run.out)["figures"][0];
    ASSERT_EQ(step["figure"], "step");
    const double ratio = step["ratio"];
    EXPECT_LT(ratio, 1);
    const bool above = measured >= ratio * step["range_low"].get<double>();
    if (above && measured <= ratio * step["range_high"].get<double>()) ++within;
  }
  EXPECT_GE(static_cast<double>(within), 0.85 * static_cast<double>(csv->rows()));
}

}  // namespace
}  // namespace tilewise
