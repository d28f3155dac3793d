// What fixes save on the bad fixtures of their rules: never more than the step,
// and something on at least one of those where a fix is simulated.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/rule.h"
#include "tests/program/fixture.h"

namespace tilewise {
namespace {

bool IsBad(const std::string& path) { return path.find("/bad_") != std::string::npos; }

// The findings of the fixture's own rule, with their savings.
std::vector<Diagnostic> Findings(const Fixture& fixture) {
  const auto workload = LoadFixture(fixture);
  const auto target = TargetOf(fixture);
  EXPECT_TRUE(workload.ok() && target.ok()) << fixture.path;
  if (!workload.ok() || !target.ok()) return {};
  const auto session = MakeSession(*workload, *target, fixture.options);
  EXPECT_TRUE(session.ok()) << fixture.path << ": " << session.status();
  if (!session.ok()) return {};
  RuleSelection selection;
  selection.select = {fixture.rule};
  std::vector<Diagnostic> found = RunRules((*session)->facts(), selection, RunOptions{}).findings;
  std::erase_if(found, [&](const Diagnostic& finding) { return finding.rule != fixture.rule; });
  return found;
}

// Of all bad fixtures, by path; simulated once.
const std::map<std::string, std::vector<Diagnostic>>& BadFindings() {
  static const auto* const all = [] {
    auto* found = new std::map<std::string, std::vector<Diagnostic>>;
    for (const std::string& path : FixturePaths()) {
      if (IsBad(path)) (*found)[path] = Findings(ReadFixture(path));
    }
    return found;
  }();
  return *all;
}

bool Saves(const Saving& saving) {
  return saving.time_per_step > Seconds{} || saving.hbm > Bytes{};
}

// By rule: whether a fix of a fixture was simulated, and whether one saves.
struct OfRule {
  bool is_simulated = false;
  bool saves = false;
};

TEST(FixtureSavings, AreNoMoreThanTheStepAndSomethingForEachRule) {
  std::map<std::string, OfRule> rules;
  for (const auto& [path, findings] : BadFindings()) {
    for (const Diagnostic& finding : findings) {
      OfRule& rule = rules[finding.rule];
      if (!finding.saving) continue;
      EXPECT_TRUE(std::isfinite(finding.saving->share_of_step)) << path;
      EXPECT_LE(finding.saving->share_of_step, 1) << path;
      rule.is_simulated = true;
      const bool later = finding.fix.text.find("once the input keeps up") != std::string::npos;
      rule.saves |= later || Saves(*finding.saving);
    }
  }
  for (const auto& [id, rule] : rules) {
    // What these mend is a program that stops, or that runs on other settings
    // than it states.
    if (id == "DI001" || id == "HL003") continue;
    // Their fixtures wait for the link, which hides what the device gains.
    if (id == "LY003" || id == "OP007") continue;
    EXPECT_EQ(rule.is_simulated, rule.saves) << id;
  }
  for (const char* id : {"OP004", "AL007", "AL009", "IP016", "IP022", "LY002", "LY004", "LY005"}) {
    EXPECT_TRUE(rules[id].is_simulated) << id;
  }
}

// A rule says why at the first of its findings.
bool SaysWhyNone(const std::vector<Diagnostic>& findings) {
  return std::ranges::any_of(findings, [](const Diagnostic& finding) {
    return finding.fix.text.find("no saving simulated: ") != std::string::npos;
  });
}

TEST(FixtureSavings, AreExplainedWhereThereAreNone) {
  for (const auto& [path, findings] : BadFindings()) {
    const bool says_why = SaysWhyNone(findings);
    const bool explained = std::ranges::all_of(findings, [&](const Diagnostic& finding) {
      return finding.saving || !finding.cost.known() || says_why;
    });
    EXPECT_TRUE(explained) << path;
  }
}

}  // namespace
}  // namespace tilewise
