// The JSON report against its published schema.

#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/renderers.h"
#include "tests/report/sample_report.h"
#include "tests/support/checked_by_python.h"

namespace tilewise {
namespace {

constexpr char kSchema[] = TILEWISE_SOURCE_DIR "/docs/schema/report.schema.json";

nlohmann::json Rendered(const Report& report) {
  return nlohmann::json::parse(RenderJson(report, {}), nullptr, false);
}

TEST(RenderJson, FollowsThePublishedSchema) {
  if (!HasSchemaValidator()) GTEST_SKIP() << "no python3-jsonschema";
  EXPECT_TRUE(FollowsSchema(RenderJson(SampleReport(), {}), kSchema));
  EXPECT_TRUE(FollowsSchema(RenderJson(LintSample(), {}), kSchema));
  Report least;
  least.command = "lint";
  EXPECT_TRUE(FollowsSchema(RenderJson(least, {}), kSchema));
}

TEST(RenderJson, SchemaRejectsWhatItDoesNotDescribe) {
  if (!HasSchemaValidator()) GTEST_SKIP() << "no python3-jsonschema";
  nlohmann::json json = Rendered(SampleReport());
  json["findings"][0]["severity"] = "fatal";
  EXPECT_FALSE(FollowsSchema(json.dump(), kSchema));
  json = Rendered(SampleReport());
  json["loop"]["epoch"] = 1;
  EXPECT_FALSE(FollowsSchema(json.dump(), kSchema));
  json = Rendered(LintSample());
  json["findings"][0]["fingerprint"] = "12";
  EXPECT_FALSE(FollowsSchema(json.dump(), kSchema));
  json = Rendered(LintSample());
  json["reachable"].erase("safe");
  EXPECT_FALSE(FollowsSchema(json.dump(), kSchema));
}

TEST(RenderJson, SurvivesBytesThatAreNotUtf8) {
  Report report = SampleReport();
  report.findings[0].message = "layer \xFF\xFE";
  EXPECT_FALSE(Rendered(report).is_discarded());
}

TEST(RenderJson, LeavesOutWhatWasNotSimulated) {
  Report report = SampleReport();
  report.findings[0].cost = {};
  const auto json = Rendered(report);
  EXPECT_TRUE(json["findings"][0]["cost"].empty());
  EXPECT_FALSE(json["findings"][0].contains("saving"));
  EXPECT_FALSE(json.contains("reachable"));
  EXPECT_FALSE(json.contains("programs"));
}

TEST(RenderJson, HasSavingsAndWhatFixesReach) {
  const auto json = Rendered(LintSample());
  const auto& finding = json["findings"][0];
  EXPECT_EQ(finding["saving"]["seconds_per_step"], 0.002);
  EXPECT_EQ(finding["saving"]["hbm_bytes"], 1 << 20);
  EXPECT_EQ(finding["op_line"]["begin_byte"], 7);
  EXPECT_EQ(finding["fix"]["changes_numerics"], true);
  EXPECT_EQ(json["reachable"]["all"]["device_seconds"], 0.005);
  EXPECT_EQ(json["reachable"]["all_findings"], nlohmann::json({0, 1}));
  EXPECT_EQ(json["counts"]["suppressed_count"], 1);
  EXPECT_EQ(json["silenced"][0]["by"], "source");
}

TEST(RenderJsonLines, HasOneFindingPerLine) {
  const Report report = LintSample();
  std::istringstream lines(RenderJsonLines(report, {}));
  size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << line;
    EXPECT_EQ(json["rule"], report.findings[count].rule);
  }
  EXPECT_EQ(count, report.findings.size());
  EXPECT_EQ(RenderJsonLines({}, {}), "");
}

}  // namespace
}  // namespace tilewise
