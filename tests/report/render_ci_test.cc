// What GitHub and GitLab read: escaping, places, severities.

#include <algorithm>
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

Report With(const Diagnostic& finding) {
  Report report;
  report.workload = "train.py";
  report.findings = {finding};
  return report;
}

TEST(RenderGithub, AnnotatesTheLine) {
  EXPECT_EQ(RenderGithub(With(SampleFinding()), {}),
            "::warning file=train.py,line=2,col=5,title=IP002 "
            "prefetch-not-last::prefetch stands before batch, expected it "
            "last%0Acost: 12.0 ms per step (30 %25 of the device step)%0Afix "
            "(safe): move .prefetch() to the end\n");
}

TEST(RenderGithub, EscapesPropertiesMoreThanMessages) {
  Diagnostic finding = SampleFinding();
  finding.location.file = "a,b:c%.py";
  finding.name = "x:y";
  finding.message = "50 % of a,b:c\r\n::error::no]";
  EXPECT_THAT(RenderGithub(With(finding), {}),
              StartsWith("::warning file=a%2Cb%3Ac%25.py,line=2,col=5,"
                         "title=IP002 x%3Ay::50 %25 of a,b:c%0D%0A::error::no]"
                         "%0A"));
}

TEST(RenderGithub, NamesPlacesThatAreNoLineOfTheFile) {
  const std::string text = RenderGithub(LintSample(), {});
  EXPECT_THAT(text, HasSubstr("::error file=m.onnx,title=AL001 "
                              "tile-pad-waste::m.onnx: block/conv1: dim 3"));
  EXPECT_THAT(text, HasSubstr("::notice file=b.ipynb,line=4,title=HL001 "
                              "steps-per-execution-one::b.ipynb:cell 2:1:3: "
                              "one step"));
  EXPECT_THAT(text, HasSubstr("::error title=tilewise::broken.json: found"));
}

TEST(RenderGithub, IsOneLinePerFindingAndFailure) {
  const std::string text = RenderGithub(LintSample(), {});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  EXPECT_EQ(RenderGithub({}, {}), "");
}

TEST(RenderGithub, SurvivesAnUnknownPlace) {
  Diagnostic finding = SampleFinding();
  finding.location = {};
  EXPECT_THAT(RenderGithub(With(finding), {}),
              StartsWith("::warning title=IP002 prefetch-not-last::prefetch"));
}

TEST(RenderGitlab, FollowsTheSchema) {
  if (!HasSchemaValidator()) GTEST_SKIP() << "no python3-jsonschema";
  constexpr char kSchema[] = TILEWISE_SOURCE_DIR "/docs/schema/gitlab-subset.json";
  EXPECT_TRUE(FollowsSchema(RenderGitlab(LintSample(), {}), kSchema));
  EXPECT_TRUE(FollowsSchema(RenderGitlab({}, {}), kSchema));
  auto json = nlohmann::json::parse(RenderGitlab(LintSample(), {}));
  json[0]["severity"] = "error";
  EXPECT_FALSE(FollowsSchema(json.dump(), kSchema));
  json = nlohmann::json::parse(RenderGitlab(LintSample(), {}));
  json[0]["location"]["lines"]["begin"] = 0;
  EXPECT_FALSE(FollowsSchema(json.dump(), kSchema));
}

TEST(RenderGitlab, HasPlaceSeverityAndFingerprint) {
  const auto json = nlohmann::json::parse(RenderGitlab(LintSample(), {.root = "/anywhere"}));
  ASSERT_EQ(json.size(), 3u);
  EXPECT_EQ(json[0]["severity"], "critical");
  EXPECT_EQ(json[0]["fingerprint"], "00000000000000a1");
  EXPECT_EQ(json[0]["location"]["lines"]["begin"], 1);
  EXPECT_THAT(json[0]["description"], StartsWith("m.onnx: block/conv1: dim 3"));
  EXPECT_EQ(json[1]["severity"], "major");
  EXPECT_EQ(json[1]["check_name"], "IP002 prefetch-not-last");
  EXPECT_EQ(json[1]["location"]["path"], "train.py");
  EXPECT_EQ(json[1]["location"]["lines"]["begin"], 2);
  EXPECT_EQ(json[2]["severity"], "info");
  EXPECT_EQ(json[2]["location"]["lines"]["begin"], 4);
}

TEST(RenderGitlab, FingerprintsDifferWithoutThoseOfTheFindings) {
  Report report = With(SampleFinding());
  report.findings.resize(20, SampleFinding());
  std::set<std::string> seen;
  for (const auto& entry : nlohmann::json::parse(RenderGitlab(report, {}))) {
    seen.insert(entry["fingerprint"]);
  }
  EXPECT_EQ(seen.size(), 20u);
}

}  // namespace
}  // namespace tilewise
