// Selection, order and the text of rules.

#include <algorithm>
#include <array>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advice/fold_findings.h"
#include "rules/rule.h"
#include "session/session.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Workload TwoBadPipelines() {
  Workload workload;
  for (int line : {20, 10}) {
    Pipeline pipeline;
    pipeline.role = PipelineRole::kTraining;
    for (StageKind kind :
         {StageKind::kFromTensorSlices, StageKind::kRepeat, StageKind::kShuffle, StageKind::kMap}) {
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
  const Target target = *MakeTarget("v3", 8, "");
  const Session session(workload, target, {});
  std::vector<std::string> result;
  for (const Diagnostic& finding : RunRules(session.facts(), selection)) {
    result.push_back(finding.rule + ":" + std::to_string(finding.location.line));
  }
  return result;
}

TEST(AreMet, AsksForEachPartOfTheFacts) {
  Workload workload;
  const Target target = *MakeTarget("v3", 8, "");
  const Session session(workload, target, {});
  Facts facts = session.facts();
  facts.training = false;
  facts.batch_assumed = true;
  const std::array<Needs, 5> each = {Needs{.model = true}, Needs{.graph = true},
                                     Needs{.training = true}, Needs{.batch = true},
                                     Needs{.script = true}};
  const auto met = [&] {
    return std::ranges::count_if(each, [&](const Needs& needs) { return AreMet(needs, facts); });
  };
  EXPECT_TRUE(AreMet({}, facts));
  EXPECT_EQ(met(), 0);
  facts.training = true;
  EXPECT_EQ(met(), 1);
  facts.batch_assumed = false;
  EXPECT_EQ(met(), 2);
  workload.facts.calls.emplace_back();
  EXPECT_EQ(met(), 3);
  const Graph graph;
  facts.source = &graph;
  EXPECT_EQ(met(), 4);
  const Simulated model;
  facts.model = &model;
  EXPECT_EQ(met(), 5);
}

TEST(RunRules, ReportsByPlace) {
  EXPECT_THAT(Found({.select = {"IP003", "IP010"}, .ignore = {}}),
              testing::ElementsAre("IP010:12", "IP003:13", "IP010:22", "IP003:23"));
}

TEST(RunRules, SelectsByIdNameAndFamily) {
  EXPECT_THAT(Found({.select = {"shuffle-after-repeat"}, .ignore = {}}),
              testing::ElementsAre("IP010:12", "IP010:22"));
  EXPECT_THAT(Found({.select = {"IP"}, .ignore = {"IP003"}}),
              testing::ElementsAre("IP010:12", "IP010:22"));
  EXPECT_THAT(Found({.select = {"AL"}, .ignore = {}}), testing::IsEmpty());
}

RuleInfo OfSet(RuleSet set) {
  RuleInfo info = FindRule("AL001")->info;
  info.set = set;
  return info;
}

TEST(IsSelected, RunsTheDefaultSetWhenNothingIsSelected) {
  EXPECT_TRUE(IsSelected(OfSet(RuleSet::kDefault), {}));
  EXPECT_FALSE(IsSelected(OfSet(RuleSet::kOptional), {}));
  EXPECT_FALSE(IsSelected(OfSet(RuleSet::kPreview), {}));
  EXPECT_TRUE(IsSelected(OfSet(RuleSet::kPreview), {.preview = true}));
  EXPECT_FALSE(IsSelected(OfSet(RuleSet::kOptional), {.preview = true}));
}

TEST(IsSelected, TakesOptionalRulesByFamilyAndPreviewRulesByName) {
  const RuleSelection family = {.select = {"AL"}};
  EXPECT_TRUE(IsSelected(OfSet(RuleSet::kOptional), family));
  EXPECT_FALSE(IsSelected(OfSet(RuleSet::kPreview), family));
  EXPECT_TRUE(IsSelected(OfSet(RuleSet::kPreview), {.select = {"AL"}, .preview = true}));
  EXPECT_TRUE(IsSelected(OfSet(RuleSet::kPreview), {.select = {"tile-pad-waste"}}));
  EXPECT_TRUE(IsSelected(OfSet(RuleSet::kOptional), {.select = {"ALL"}}));
}

TEST(IsSelected, IgnoresWhatIsBothSelectedAndIgnored) {
  EXPECT_FALSE(IsSelected(OfSet(RuleSet::kDefault), {.select = {"AL001"}, .ignore = {"AL"}}));
  EXPECT_FALSE(IsSelected(OfSet(RuleSet::kDefault), {.ignore = {"AL001"}}));
}

struct Row {
  std::string_view speaks, silent;
};
constexpr std::array kRows = {
#define TW_PRECEDENCE(speaks, silent) Row{#speaks, #silent},
#include "rules/precedence.def"
#undef TW_PRECEDENCE
};

bool Outranks(std::string_view a, std::string_view b, size_t rows) {
  return rows > 0 && std::ranges::any_of(kRows, [&](const Row& row) {
           return row.speaks == a && (row.silent == b || Outranks(row.silent, b, rows - 1));
         });
}

TEST(Precedence, IsOfRulesAndHasNoCircle) {
  for (const Row& row : kRows) {
    EXPECT_NE(FindRule(row.speaks), nullptr) << row.speaks;
    EXPECT_NE(FindRule(row.silent), nullptr) << row.silent;
    EXPECT_FALSE(Outranks(row.silent, row.speaks, 8)) << row.speaks << " and " << row.silent;
  }
}

Finding Of(std::string rule, int line) {
  Finding finding;
  finding.rule = std::move(rule);
  finding.location.file = "model.py";
  finding.location.line = line;
  return finding;
}

TEST(OnePerCause, TheCostThatAnotherRuleKnowsIsThatOfTheCause) {
  Finding cause = Of("IP003", 3);
  cause.severity = Severity::kInfo;
  cause.cost.unknown = "not in the files";
  Finding forecast = Of("IP022", 3);
  forecast.severity = Severity::kWarning;
  forecast.cost.time_per_step = Seconds{0.06};
  const std::vector<Finding> found = OnePerCause({cause, forecast});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, "IP003");
  EXPECT_EQ(found[0].severity, Severity::kWarning);
  EXPECT_EQ(found[0].cost.time_per_step, Seconds{0.06});
}

TEST(OnePerCause, KeepsTheMostSpecificAndNamesTheOthers) {
  const std::vector<Finding> kept =
      OnePerCause({Of("AL001", 3), Of("AL005", 3), Of("OP002", 3), Of("AL001", 4)});
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].rule, "OP002");
  EXPECT_THAT(kept[0].related, testing::UnorderedElementsAre("AL001", "AL005"));
  EXPECT_EQ(kept[1].rule, "AL001");
  EXPECT_THAT(kept[1].related, testing::IsEmpty());
}

Finding Cheap(int line, OpId op) {
  Finding finding = Of("AL001", line);
  finding.message = "padded";
  finding.cost.time_per_step = Seconds{0.001 * (100 - line)};
  finding.change.widths.push_back({op, 0, 128});
  return finding;
}

TEST(FoldEachRule, SumsUpWhatCostsLessWithItsChanges) {
  std::vector<Finding> many;
  many.reserve(8);
  for (int i = 1; i <= 8; ++i) many.push_back(Cheap(i, OpId(i)));
  const std::vector<Finding> folded = FoldEachRule(std::move(many));
  ASSERT_EQ(folded.size(), 6u);
  EXPECT_THAT(folded[5].message, HasSubstr("the same at 3 more locations"));
  EXPECT_EQ(folded[5].change.widths.size(), 3u);
  EXPECT_EQ(folded[5].folded.size(), 3u);
  EXPECT_NEAR(folded[5].cost.time_per_step->value, 0.094 + 0.093 + 0.092, 1e-9);
}

TEST(SummaryOf, IsFixedByTheEditsOfAllItsPlacesOrByNone) {
  std::vector<Diagnostic> places(3);
  for (int64_t i = 0; i < 3; ++i) {
    places[i].fix.edits = {{.span = {"t.py", 0, 30 - 10 * i, 35 - 10 * i}, .replacement = "x"}};
  }
  const std::vector<TextEdit> edits = SummaryOf(places).fix.edits;
  ASSERT_EQ(edits.size(), 3u);
  EXPECT_EQ(edits[0].span.begin, 10);
  places[1].fix.edits[0].span.begin = 12;  // within the edit of the third
  EXPECT_TRUE(SummaryOf(places).fix.edits.empty());
  places[1].fix.edits.clear();
  EXPECT_TRUE(SummaryOf(places).fix.edits.empty());
}

TEST(OncePerLocation, JoinsTheChangesOfEqualFindings) {
  const std::vector<Finding> kept = OncePerLocation({Cheap(3, 1), Cheap(3, 2), Cheap(4, 3)});
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].change.widths.size(), 2u);
}

TEST(CheckSelection, NamesWhatIsNoRule) {
  EXPECT_TRUE(CheckSelection({.select = {"AL", "IP003"}, .ignore = {"AL001-tile-pad-waste"}}).ok());
  const absl::Status status = CheckSelection({.select = {"AL999"}, .ignore = {}});
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
    for (const char* part : {"\nWhy: ", "\nRemedy: ", "\nIgnore: ", "\nSources: "}) {
      EXPECT_THAT(std::string(info.doc), HasSubstr(part)) << info.id;
    }
    EXPECT_EQ(FindRule(info.id), rule);
    EXPECT_EQ(FindRule(info.name), rule);
  }
}

}  // namespace
}  // namespace tilewise
