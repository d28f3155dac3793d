// Selection, order and the text of rules.

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/rule.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Workload TwoBadPipelines() {
  Workload workload;
  for (int line : {20, 10}) {
    Pipeline pipeline;
    pipeline.role = PipelineRole::kTraining;
    for (StageKind kind : {StageKind::kFromTensorSlices, StageKind::kRepeat,
                           StageKind::kShuffle, StageKind::kMap}) {
      Stage stage;
      stage.kind = kind;
      stage.location.file = "train.py";
      stage.location.line = line++;
      pipeline.stages.push_back(stage);
    }
    workload.pipelines.push_back(pipeline);
  }
  return workload;
}

std::vector<std::string> Found(const RuleSelection& selection) {
  const Workload workload = TwoBadPipelines();
  const Target target;
  Facts facts{.workload = workload, .target = target};
  std::vector<std::string> result;
  for (const Diagnostic& finding : RunRules(facts, selection)) {
    result.push_back(finding.rule + ":" +
                     std::to_string(finding.location.line));
  }
  return result;
}

TEST(RunRules, ReportsByPlace) {
  EXPECT_THAT(
      Found({.select = {"IP003", "IP010"}, .ignore = {}}),
      testing::ElementsAre("IP010:12", "IP003:13", "IP010:22", "IP003:23"));
}

TEST(RunRules, SelectsByIdNameAndFamily) {
  EXPECT_THAT(Found({.select = {"shuffle-after-repeat"}, .ignore = {}}),
              testing::ElementsAre("IP010:12", "IP010:22"));
  EXPECT_THAT(Found({.select = {"IP"}, .ignore = {"IP003"}}),
              testing::ElementsAre("IP010:12", "IP010:22"));
  EXPECT_THAT(Found({.select = {"AL"}, .ignore = {}}), testing::IsEmpty());
}

TEST(CheckSelection, NamesWhatIsNoRule) {
  EXPECT_TRUE(CheckSelection({.select = {"AL", "IP003"},
                              .ignore = {"AL001-tile-pad-waste"}})
                  .ok());
  const absl::Status status =
      CheckSelection({.select = {"AL999"}, .ignore = {}});
  EXPECT_THAT(Message(status), HasSubstr("'AL999'"));
}

TEST(Rules, AreSortedUniqueAndExplained) {
  std::set<std::string_view> names;
  std::string_view previous;
  for (const Rule* rule : AllRules()) {
    const RuleInfo& info = rule->info;
    EXPECT_LT(previous, info.id);
    previous = info.id;
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_NE(info.summary, "") << info.id;
    EXPECT_THAT(std::string(info.doc), StartsWith("\nWhat: ")) << info.id;
    for (const char* part :
         {"\nWhy: ", "\nRemedy: ", "\nIgnore: ", "\nSources: "}) {
      EXPECT_THAT(std::string(info.doc), HasSubstr(part)) << info.id;
    }
    EXPECT_EQ(FindRule(info.id), rule);
    EXPECT_EQ(FindRule(info.name), rule);
  }
}

}  // namespace
}  // namespace tilewise
