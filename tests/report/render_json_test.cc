// The JSON report against its published schema.

#include <cstdlib>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/renderers.h"
#include "tests/report/sample_report.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

constexpr char kSchema[] =
    TILEWISE_SOURCE_DIR "/docs/schema/report.schema.json";

bool HasValidator() {
  return std::system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null") ==
         0;
}

// Exit status of the validator on `json`; its complaints go to the test's log.
int Validate(const std::string& json, const std::string& name) {
  const TemporaryFolder folder;
  const std::string path = folder.Write(name + ".json", json);
  const std::string command =
      "/usr/bin/python3 -W ignore -m jsonschema -i " + path + " " + kSchema;
  return std::system(command.c_str());
}

TEST(RenderJson, FollowsThePublishedSchema) {
  if (!HasValidator()) GTEST_SKIP() << "no python3-jsonschema";
  EXPECT_EQ(Validate(RenderJson(SampleReport(), {}), "full"), 0);
  Report least;
  least.command = "lint";
  EXPECT_EQ(Validate(RenderJson(least, {}), "least"), 0);
}

TEST(RenderJson, SchemaRejectsWhatItDoesNotDescribe) {
  if (!HasValidator()) GTEST_SKIP() << "no python3-jsonschema";
  nlohmann::json json = nlohmann::json::parse(RenderJson(SampleReport(), {}));
  json["findings"][0]["severity"] = "fatal";
  EXPECT_NE(Validate(json.dump(), "severity"), 0);
  json = nlohmann::json::parse(RenderJson(SampleReport(), {}));
  json["loop"]["epoch"] = 1;
  EXPECT_NE(Validate(json.dump(), "extra"), 0);
}

TEST(RenderJson, SurvivesBytesThatAreNotUtf8) {
  Report report = SampleReport();
  report.findings[0].message = "layer \xFF\xFE";
  const auto json =
      nlohmann::json::parse(RenderJson(report, {}), nullptr, false);
  EXPECT_FALSE(json.is_discarded());
}

TEST(RenderJson, LeavesOutCostsThatWereNotSimulated) {
  Report report = SampleReport();
  report.findings[0].cost = {};
  const auto json = nlohmann::json::parse(RenderJson(report, {}));
  EXPECT_TRUE(json["findings"][0]["cost"].empty());
}

}  // namespace
}  // namespace tilewise
