// What the time was spent on and what the memory holds, in each format.

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/renderers.h"
#include "tests/report/sample_report.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Report ReportWithLosses() {
  Report report = SampleReport();
  LossSplit split;
  split.useful = {0.010};
  split.memory_stall = {0.025};
  split.host = {0.005};
  report.split = split;
  for (OpRow& row : report.ops) row.split = split;
  KernelRow kernel;
  kernel.name = "fusion.1";
  kernel.layer = "conv1";
  kernel.duration = {0.035};
  kernel.split = split;
  kernel.roofline = {.intensity = 2, .attainable = 3e12, .achieved = 1e12};
  report.kernels = {kernel};
  MemoryUse use;
  use.nameplate = {int64_t{16} << 30};
  use.by_use[static_cast<size_t>(BufferUse::kActivation)] = {int64_t{3} << 30};
  use.fragmentation = Bytes{1 << 20};
  report.memory_use = use;
  report.remedies = {{"a batch of 8 per core", 8, {2}, {4}, {0.001}},
                     {"bf16 activations", 16, {8}, {4}, {0.001}}};
  return report;
}

TEST(Losses, StandInATableWithTheirShares) {
  const std::string text = RenderText(ReportWithLosses(), {});
  EXPECT_THAT(text, HasSubstr("What the time of a step is spent on: 40.0 ms "
                              "by the wall clock\n"));
  EXPECT_THAT(text, HasSubstr("  useful MXU work  10.0 ms   25 %\n"));
  EXPECT_THAT(text, HasSubstr("  HBM stall        25.0 ms"));
  EXPECT_THAT(text, Not(HasSubstr("weight latch")));
}

TEST(Losses, AddAColumnToTheOpTable) {
  EXPECT_THAT(RenderText(ReportWithLosses(), {}), HasSubstr("largest loss"));
  EXPECT_THAT(RenderMarkdown(ReportWithLosses(), {}), HasSubstr("largest loss"));
  EXPECT_THAT(RenderText(SampleReport(), {}), Not(HasSubstr("largest loss")));
}

TEST(MemorySection, NamesUsesAndWhatWouldFit) {
  const std::string text = RenderText(ReportWithLosses(), {});
  EXPECT_THAT(text, HasSubstr("  activation                 3.00 GiB\n"));
  EXPECT_THAT(text, HasSubstr("  fragmentation beside them  1.00 MiB\n"));
  EXPECT_THAT(text, HasSubstr("What would make it fit\n"));
  EXPECT_THAT(text, HasSubstr("  a batch of 8 per core       2 B  fits "));
  EXPECT_THAT(RenderMarkdown(ReportWithLosses(), {}),
              HasSubstr("| bf16 activations | 8 B | does not fit |"));
}

TEST(Losses, AreInJsonForEveryKernel) {
  const auto json = nlohmann::json::parse(RenderJson(ReportWithLosses(), {}), nullptr, false);
  EXPECT_EQ(json["losses"]["memory_stall_seconds"], 0.025);
  ASSERT_EQ(json["kernels"].size(), 1u);
  EXPECT_EQ(json["kernels"][0]["losses"]["host_seconds"], 0.005);
  EXPECT_EQ(json["kernels"][0]["roofline"]["attainable_flops_per_second"], 3e12);
}

TEST(Losses, FollowThePublishedSchema) {
  if (std::system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null") != 0) {
    GTEST_SKIP() << "no python3-jsonschema";
  }
  const TemporaryFolder folder;
  const std::string path = folder.Write("losses.json", RenderJson(ReportWithLosses(), {}));
  const std::string command = "/usr/bin/python3 -W ignore -m jsonschema -i " + path +
                              " " TILEWISE_SOURCE_DIR "/docs/schema/report.schema.json";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace tilewise
