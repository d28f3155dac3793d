// Every fixture gets exactly the findings it marks, at the marked lines. Every fix of it, applied,
// read and linted again, removes its finding; the text still parses, and it is the text that
// tests/rules/fixed has for it, where there is one (TILEWISE_UPDATE_GOLDENS=1 writes those that are
// there already). A fix never saves more than the step, and something on at least one bad fixture
// of its rule. All that is asked of one fixture at a time: reading it is what takes the time.

#include "tests/program/fixture.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/load.h"
#include "rules/rule.h"
#include "tests/program/apply_edits.h"
#include "tests/support/temporary_folder.h"
#include "workload/syntax_errors.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

// In the order of the lines, with the message of what was found.
std::string Describe(const Expected& findings) {
  std::string text;
  for (const auto& [line, rule] : findings) {
    text += fmt::format("  line {}: {}\n", line, rule);
  }
  return text.empty() ? "  nothing\n" : text;
}

// Without the marks of what a more specific finding of the line speaks for.
Expected Spoken(Expected wanted, const Expected& found, const Expected& related) {
  std::erase_if(wanted,
                [&](const auto& mark) { return !found.contains(mark) && related.contains(mark); });
  return wanted;
}

void CheckFindings(const Fixture& fixture, const std::vector<Diagnostic>& findings) {
  Expected found, related;
  std::string messages;
  for (const Diagnostic& finding : findings) {
    const int line = LineOf(fixture, finding.location);
    found.emplace(line, finding.rule);
    for (const std::string& id : finding.related) related.emplace(line, id);
    messages += fmt::format("  line {}: {}\n", line, finding.message);
    EXPECT_NE(finding.fix.text, "") << finding.rule;
    EXPECT_TRUE(finding.location.known()) << finding.rule;
    EXPECT_NE(finding.cost.known(), !finding.cost.unknown.empty())
        << finding.rule << ": a cost, or why there is none";
  }
  EXPECT_EQ(found, Spoken(fixture.wanted, found, related)) << "wanted\n"
                                                           << Describe(fixture.wanted) << "found\n"
                                                           << Describe(found) << messages;
}

bool HasTextEdits(const Diagnostic& finding, const std::string& path) {
  return !finding.fix.edits.empty() &&
         std::ranges::all_of(finding.fix.edits, [&](const TextEdit& edit) {
           return edit.span.file == path && edit.span.cell == 0;
         });
}

std::ptrdiff_t CountOf(const std::vector<Diagnostic>& findings, const std::string& rule) {
  return std::ranges::count(findings, rule, &Diagnostic::rule);
}

std::string ReadText(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// tests/rules/fixed/<rule>/<file>: what the first fix of the folder's rule
// makes of the fixture.
void CompareWithTwin(const Fixture& fixture, const std::string& fixed) {
  const fs::path twin = fs::path(TILEWISE_SOURCE_DIR "/tests/rules/fixed") / fixture.rule /
                        fs::path(fixture.path).filename();
  if (!fs::exists(twin)) return;
  if (std::getenv("TILEWISE_UPDATE_GOLDENS") != nullptr) {
    std::ofstream(twin, std::ios::binary) << fixed;
  }
  EXPECT_EQ(fixed, ReadText(twin)) << twin;
}

std::vector<Diagnostic> Lint(const Session& session, std::vector<std::string> rules) {
  RuleSelection selection;
  selection.select = std::move(rules);
  return RunRules(session.facts(), selection);
}

struct Linted {
  std::vector<Diagnostic> findings;
  int64_t syntax_errors = 0;
};

void CheckFix(const Fixture& fixture, const Linted& before, const Diagnostic& finding) {
  const std::string fixed = ApplyEdits(fixture.text, finding.fix.edits);
  EXPECT_NE(fixed, fixture.text) << finding.rule;
  const TemporaryFolder folder;
  const std::string path = folder.Write(fs::path(fixture.path).filename().string(), fixed);
  const auto workload = LoadFiles({path}, {.cores = fixture.cores});
  ASSERT_TRUE(workload.ok()) << finding.rule << ": " << workload.status() << "\n" << fixed;
  EXPECT_LE(SyntaxErrorsIn(workload->notes), before.syntax_errors) << fixed;
  const auto target = TargetOf(fixture);
  const auto session = MakeSession(*workload, *target, fixture.options);
  ASSERT_TRUE(session.ok()) << finding.rule << ": " << session.status();
  const std::vector<Diagnostic> after = Lint(**session, RulesUnderTest(fixture));
  EXPECT_LT(CountOf(after, finding.rule), CountOf(before.findings, finding.rule))
      << finding.rule << " is still there after\n"
      << fixed;
  if (finding.rule == fixture.rule) CompareWithTwin(fixture, fixed);
}

// Returns how many were applied. Twins are of the first finding of a rule.
int CheckFixes(const Fixture& fixture, const Linted& before) {
  if (fixture.wanted.empty() || fixture.path.ends_with(".ipynb")) return 0;
  std::set<std::string> seen;
  for (const Diagnostic& finding : before.findings) {
    if (!HasTextEdits(finding, fixture.path) || !seen.insert(finding.rule).second) continue;
    CheckFix(fixture, before, finding);
  }
  return static_cast<int>(seen.size());
}

// Whether a fix of a fixture of the rule was simulated, and whether one saves.
struct OfRule {
  bool is_simulated = false;
  bool saves = false;
};

bool Saves(const Saving& saving) {
  return saving.time_per_step > Seconds{} || saving.hbm > Bytes{};
}

// A rule says why at the first of its findings.
bool SaysWhyNone(const std::vector<Diagnostic>& findings) {
  return std::ranges::any_of(findings, [](const Diagnostic& finding) {
    return finding.fix.text.find("no saving simulated: ") != std::string::npos;
  });
}

void CheckSavings(const Fixture& fixture, const Session& session, OfRule& rule) {
  RuleSelection selection;
  selection.select = {fixture.rule};
  std::vector<Diagnostic> found = RunRules(session.facts(), selection, RunOptions{}).findings;
  std::erase_if(found, [&](const Diagnostic& finding) { return finding.rule != fixture.rule; });
  const bool says_why = SaysWhyNone(found);
  for (const Diagnostic& finding : found) {
    EXPECT_TRUE(finding.saving || !finding.cost.known() || says_why) << "no saving and no reason";
    if (!finding.saving) continue;
    EXPECT_TRUE(std::isfinite(finding.saving->share_of_step));
    EXPECT_LE(finding.saving->share_of_step, 1);
    rule.is_simulated = true;
    const bool later = finding.fix.text.find("once the input keeps up") != std::string::npos;
    rule.saves |= later || Saves(*finding.saving);
  }
}

class RuleFixture : public testing::TestWithParam<std::string> {
 protected:
  // Only a run of all fixtures shows what is true of a rule.
  static void TearDownTestSuite() {
    if (fixtures_ < FixturePaths().size()) return;
    EXPECT_GT(fixes_, 10);
    for (const auto& [id, rule] : rules_) {
      // What these mend is a program that stops, or that runs on other settings
      // than it states.
      if (id == "DI001" || id == "HL003") continue;
      // Their fixtures wait for the link, which hides what the device gains.
      if (id == "LY003" || id == "OP007") continue;
      EXPECT_EQ(rule.is_simulated, rule.saves) << id;
    }
    for (const char* id :
         {"OP004", "AL007", "AL009", "IP016", "IP022", "LY002", "LY004", "LY005"}) {
      EXPECT_TRUE(rules_[id].is_simulated) << id;
    }
  }

  static inline std::map<std::string, OfRule> rules_;
  static inline size_t fixtures_ = 0;
  static inline int fixes_ = 0;
};

TEST_P(RuleFixture, HasTheMarkedFindingsAndFixesThatMendThem) {
  const Fixture fixture = ReadFixture(GetParam());
  const auto workload = LoadFixture(fixture);
  ASSERT_TRUE(workload.ok()) << workload.status();
  const auto target = TargetOf(fixture);
  ASSERT_TRUE(target.ok()) << target.status();
  const auto session = MakeSession(*workload, *target, fixture.options);
  ASSERT_TRUE(session.ok()) << session.status();
  for (const Diagnostic& note : (*session)->notes()) {
    ADD_FAILURE() << note.message;
  }
  const Linted linted = {Lint(**session, RulesUnderTest(fixture)), SyntaxErrorsIn(workload->notes)};
  CheckFindings(fixture, linted.findings);
  ++fixtures_;
  fixes_ += CheckFixes(fixture, linted);
  if (GetParam().find("/bad_") != std::string::npos) {
    CheckSavings(fixture, **session, rules_[fixture.rule]);
  }
}

std::string TestName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(info.param.find("fixtures/") + 9);
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, RuleFixture, testing::ValuesIn(FixturePaths()), TestName);

bool WantsItsRule(const Fixture& fixture) {
  return std::ranges::any_of(fixture.wanted,
                             [&](const auto& wanted) { return wanted.second == fixture.rule; });
}

TEST(RuleFixtures, AreNamedForWhatTheyShow) {
  for (const std::string& path : FixturePaths()) {
    const Fixture fixture = ReadFixture(path);
    const std::string name = path.substr(path.rfind('/') + 1);
    EXPECT_TRUE(!name.starts_with("good") || !WantsItsRule(fixture)) << path;
    EXPECT_TRUE(!name.starts_with("bad") || WantsItsRule(fixture)) << path;
  }
}

TEST(RuleFixtures, ShowEachRuleTwiceSpeakingAndTwiceSilent) {
  std::map<std::string, std::pair<int, int>> bad_and_good;
  for (const std::string& path : FixturePaths()) {
    const Fixture fixture = ReadFixture(path);
    const bool bad = WantsItsRule(fixture);
    auto& counts = bad_and_good[fixture.rule];
    ++(bad ? counts.first : counts.second);
  }
  for (const Rule* rule : AllRules()) {
    const auto& counts = bad_and_good[std::string(rule->info.id)];
    EXPECT_GE(counts.first, 2) << "bad fixtures of " << rule->info.id;
    EXPECT_GE(counts.second, 2) << "good fixtures of " << rule->info.id;
  }
}

// A twin of a fixture that is not there is never looked at.
TEST(RuleFixtures, AreThereForEachTwin) {
  const fs::path root = TILEWISE_SOURCE_DIR "/tests/rules/fixed";
  ASSERT_TRUE(fs::exists(root)) << root;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    EXPECT_TRUE(fs::exists(fs::path(TILEWISE_SOURCE_DIR "/tests/rules/fixtures") /
                           entry.path().lexically_relative(root)))
        << entry.path();
  }
}

}  // namespace
}  // namespace tilewise
