// Every fix of every fixture, applied, read again and linted again: its finding
// is gone, the text still parses, and it is the text that tests/rules/fixed has
// for it, where there is one (TILEWISE_UPDATE_GOLDENS=1 writes those that are
// there already).

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/load.h"
#include "rules/rule.h"
#include "tests/program/apply_edits.h"
#include "tests/program/fixture.h"
#include "tests/support/temporary_folder.h"
#include "workload/syntax_errors.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

struct Linted {
  std::vector<Diagnostic> findings;
  int64_t syntax_errors = 0;
};

std::optional<Linted> Lint(const Workload& workload, const Fixture& fixture,
                           const std::vector<std::string>& rules) {
  const auto target = TargetOf(fixture);
  if (!target.ok()) return std::nullopt;
  const auto session = MakeSession(workload, *target, fixture.options);
  if (!session.ok()) return std::nullopt;
  Linted linted;
  RuleSelection selection;
  selection.select = rules;
  linted.findings = RunRules((*session)->facts(), selection);
  linted.syntax_errors = SyntaxErrorsIn(workload.notes);
  return linted;
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

void CheckFix(const Fixture& fixture, const std::vector<std::string>& rules, const Linted& before,
              const Diagnostic& finding) {
  const std::string fixed = ApplyEdits(fixture.text, finding.fix.edits);
  EXPECT_NE(fixed, fixture.text) << fixture.path << " " << finding.rule;
  const TemporaryFolder folder;
  const std::string path = folder.Write(fs::path(fixture.path).filename().string(), fixed);
  const auto workload = LoadFiles({path}, {.cores = fixture.cores});
  ASSERT_TRUE(workload.ok()) << finding.rule << ": " << workload.status() << "\n" << fixed;
  const auto after = Lint(*workload, fixture, rules);
  ASSERT_TRUE(after.has_value()) << fixture.path;
  EXPECT_LE(after->syntax_errors, before.syntax_errors) << fixed;
  EXPECT_LT(CountOf(after->findings, finding.rule), CountOf(before.findings, finding.rule))
      << fixture.path << " still has " << finding.rule << " after\n"
      << fixed;
  if (finding.rule == fixture.rule) CompareWithTwin(fixture, fixed);
}

TEST(FixtureFixes, RemoveTheirFindings) {
  int checked = 0;
  for (const std::string& path : FixturePaths()) {
    const Fixture fixture = ReadFixture(path);
    if (fixture.wanted.empty() || path.ends_with(".ipynb")) continue;
    const auto workload = LoadFixture(fixture);
    ASSERT_TRUE(workload.ok()) << path << workload.status();
    const std::vector<std::string> rules = RulesUnderTest(fixture);
    const auto before = Lint(*workload, fixture, rules);
    ASSERT_TRUE(before.has_value()) << path;
    std::set<std::string> seen;
    for (const Diagnostic& finding : before->findings) {
      if (!HasTextEdits(finding, path)) continue;
      // Twins are of the first finding.
      if (!seen.insert(finding.rule).second) continue;
      ++checked;
      CheckFix(fixture, rules, *before, finding);
    }
  }
  EXPECT_GT(checked, 10);
}

// A twin of a fixture that is not there is never looked at.
TEST(FixtureFixes, TwinsAreOfFixtures) {
  const fs::path root = TILEWISE_SOURCE_DIR "/tests/rules/fixed";
  if (!fs::exists(root)) GTEST_SKIP() << "no twins";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    EXPECT_TRUE(fs::exists(fs::path(TILEWISE_SOURCE_DIR "/tests/rules/fixtures") /
                           entry.path().lexically_relative(root)))
        << entry.path();
  }
}

}  // namespace
}  // namespace tilewise
