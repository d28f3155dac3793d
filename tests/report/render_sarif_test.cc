// SARIF logs: against the part of the standard that tilewise uses, and what
// code scanning makes of places, limits and suppressions.

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/renderers.h"
#include "tests/report/sample_report.h"
#include "tests/support/checked_by_python.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kSchema[] = TILEWISE_SOURCE_DIR "/docs/schema/sarif-subset.json";

nlohmann::json RunOf(const Report& report, const RenderOptions& options = {}) {
  const auto log = nlohmann::json::parse(RenderSarif(report, options), nullptr, false);
  EXPECT_EQ(log["version"], "2.1.0");
  return log["runs"][0];
}

nlohmann::json PlaceOf(const nlohmann::json& result) {
  return result["locations"][0]["physicalLocation"];
}

TEST(RenderSarif, FollowsTheSchema) {
  if (!HasSchemaValidator()) GTEST_SKIP() << "no python3-jsonschema";
  EXPECT_TRUE(FollowsSchema(RenderSarif(LintSample(), {}), kSchema));
  EXPECT_TRUE(FollowsSchema(RenderSarif(SampleReport(), {}), kSchema));
  EXPECT_TRUE(FollowsSchema(RenderSarif({}, {}), kSchema));
}

TEST(RenderSarif, SchemaRejectsWhatCodeScanningWould) {
  if (!HasSchemaValidator()) GTEST_SKIP() << "no python3-jsonschema";
  const auto rejects = [](const nlohmann::json& log) {
    return !FollowsSchema(log.dump(), kSchema);
  };
  const auto good = nlohmann::json::parse(RenderSarif(LintSample(), {}));
  EXPECT_FALSE(rejects(good));
  nlohmann::json log = good;
  log["version"] = "2.0.0";
  EXPECT_TRUE(rejects(log));
  log = good;
  log["runs"][0]["results"][0]["level"] = "info";
  EXPECT_TRUE(rejects(log));
  log = good;
  auto& place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
  place["region"]["startLine"] = 0;
  EXPECT_TRUE(rejects(log));
  log = good;
  auto& uri =
      log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
  uri = "a b.py";
  EXPECT_TRUE(rejects(log));
}

TEST(RenderSarif, RulesCarryTheirHelp) {
  const auto run = RunOf(LintSample());
  const auto& rules = run["tool"]["driver"]["rules"];
  ASSERT_EQ(rules.size(), 3u);
  for (const auto& result : run["results"]) {
    EXPECT_EQ(rules[result["ruleIndex"].get<size_t>()]["id"], result["ruleId"]);
  }
  EXPECT_EQ(rules[2]["id"], "IP002");
  EXPECT_EQ(rules[2]["name"], "PrefetchNotLast");
  EXPECT_THAT(rules[2]["help"]["markdown"], HasSubstr("**Remedy:**"));
  EXPECT_EQ(rules[2]["defaultConfiguration"]["level"], "warning");
  EXPECT_EQ(rules[2]["properties"]["tags"][2], "input pipeline");
}

TEST(RenderSarif, NamesRulesThatAreNotInTheCatalogue) {
  Report report = LintSample();
  report.findings[0].rule = "SU001";
  report.findings[0].name = "unused-suppression";
  const auto rules = RunOf(report)["tool"]["driver"]["rules"];
  EXPECT_EQ(rules.back()["id"], "SU001");
  EXPECT_EQ(rules.back()["name"], "UnusedSuppression");
}

TEST(RenderSarif, PlacesAreUtf16ColumnsOfRelativeUris) {
  Report report = LintSample();
  // Two bytes and one unit, four bytes and two units, then the place.
  report.files[0] = {.path = "/src/my code/train.py", .text = "\n\xC3\xA9\xF0\x9F\x98\x80x = 1\n"};
  report.findings = {SampleFinding()};
  report.findings[0].location = {.file = "/src/my code/train.py", .line = 2, .column = 7};
  report.findings[0].fix.edits.clear();
  const auto place = PlaceOf(RunOf(report, {.root = "/src"})["results"][0]);
  EXPECT_EQ(place["region"]["startColumn"], 4);
  EXPECT_EQ(place["artifactLocation"]["uri"], "my%20code/train.py");
  EXPECT_EQ(place["artifactLocation"]["uriBaseId"], "SRCROOT");
  const auto absolute = PlaceOf(RunOf(report)["results"][0]);
  EXPECT_EQ(absolute["artifactLocation"]["uri"], "file:///src/my%20code/train.py");
  EXPECT_FALSE(absolute["artifactLocation"].contains("uriBaseId"));
}

TEST(RenderSarif, NodesAndCellsAreLogicalLocations) {
  const auto results = RunOf(LintSample())["results"];
  const auto& node = results[0];
  EXPECT_EQ(PlaceOf(node)["region"]["startLine"], 1);
  EXPECT_FALSE(PlaceOf(node)["region"].contains("startColumn"));
  const auto& logical = node["locations"][0]["logicalLocations"][0];
  EXPECT_EQ(logical["fullyQualifiedName"], "block/conv1");
  EXPECT_EQ(logical["name"], "conv1");
  EXPECT_THAT(node["message"]["text"], StartsWith("block/conv1: dim 3 of 600"));
  const auto& cell = results[2];
  EXPECT_EQ(PlaceOf(cell)["region"]["startLine"], 4);
  EXPECT_FALSE(PlaceOf(cell)["region"].contains("startColumn"));
  EXPECT_EQ(cell["locations"][0]["logicalLocations"][0]["name"], "cell 2, line 1");
  EXPECT_THAT(cell["message"]["text"], StartsWith("cell 2, line 1: one step"));
}

TEST(RenderSarif, FixesAreReplacementsOfText) {
  const auto results = RunOf(LintSample())["results"];
  EXPECT_FALSE(results[0].contains("fixes"));  // no text edits
  EXPECT_FALSE(results[2].contains("fixes"));  // in a notebook
  const auto& fix = results[1]["fixes"][0];
  EXPECT_EQ(fix["description"]["text"], "fix (safe): move .prefetch() to the end");
  const auto& change = fix["artifactChanges"][0];
  EXPECT_EQ(change["artifactLocation"]["uri"], "train.py");
  EXPECT_EQ(
      change["replacements"][0]["deletedRegion"],
      nlohmann::json({{"startLine", 2}, {"startColumn", 3}, {"endLine", 2}, {"endColumn", 14}}));
}

TEST(RenderSarif, FingerprintsAreTheFindingsOwnAndUnique) {
  Report report = LintSample();
  report.findings.push_back(report.findings[0]);
  std::set<std::string> seen;
  const auto run = RunOf(report);
  for (const auto& result : run["results"]) {
    seen.insert(result["partialFingerprints"]["tilewise/v1"]);
  }
  EXPECT_EQ(seen.size(), 6u);
  EXPECT_TRUE(seen.contains("00000000000000a1"));
}

TEST(RenderSarif, SilencedFindingsHaveTheirReason) {
  const auto results = RunOf(LintSample())["results"];
  ASSERT_EQ(results.size(), 5u);
  EXPECT_FALSE(results[2].contains("suppressions"));
  EXPECT_EQ(results[3]["suppressions"][0]["kind"], "inSource");
  EXPECT_EQ(results[3]["suppressions"][0]["justification"], "measured: faster");
  EXPECT_EQ(results[4]["suppressions"][0]["kind"], "external");
}

TEST(RenderSarif, KeepsTheWorstOfTooManyResults) {
  Report report;
  for (size_t i = 0; i < kSarifResults + 10; ++i) {
    Diagnostic finding = SampleFinding();
    finding.severity = i % 2 == 0 ? Severity::kInfo : Severity::kWarning;
    finding.location.line = static_cast<int32_t>(i + 1);
    report.findings.push_back(finding);
  }
  report.findings.back().severity = Severity::kError;
  report.findings.front().saving = Saving{.time_per_step = {1}};
  report.silenced = {{.finding = SampleFinding()}};
  const auto run = RunOf(report);
  const auto& results = run["results"];
  ASSERT_EQ(results.size(), kSarifResults);
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_EQ(results[1]["level"], "warning");
  EXPECT_EQ(results[kSarifResults - 1]["level"], "note");
  // The most expensive of the infos is the first of them.
  EXPECT_EQ(PlaceOf(results[(kSarifResults + 10) / 2])["region"]["startLine"], 1);
  EXPECT_THAT(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"],
              StartsWith("10 findings"));
}

TEST(RenderSarif, FailuresAndNotesAreNotifications) {
  const auto run = RunOf(LintSample());
  const auto& invocation = run["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], false);
  EXPECT_EQ(invocation["exitCode"], 1);
  const auto& notifications = invocation["toolExecutionNotifications"];
  ASSERT_EQ(notifications.size(), 2u);
  EXPECT_EQ(notifications[0]["level"], "error");
  EXPECT_EQ(notifications[1]["descriptor"]["id"], "RD001");
  EXPECT_EQ(run["tool"]["driver"]["notifications"][0]["id"], "RD001");
}

TEST(RenderSarif, SurvivesUnknownPlacesAndBadBytes) {
  Report report;
  report.findings = {SampleFinding()};
  report.findings[0].location = {};
  report.findings[0].message = "layer \xFF\"\n";
  const auto result = RunOf(report)["results"][0];
  EXPECT_FALSE(result.contains("locations"));
  EXPECT_FALSE(result.contains("fixes"));  // its file was not read as text
}

}  // namespace
}  // namespace tilewise
