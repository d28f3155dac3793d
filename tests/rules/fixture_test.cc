// Every fixture gets exactly the findings it marks, at the marked lines.

#include "tests/program/fixture.h"

#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/rule.h"

namespace tilewise {
namespace {

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

class RuleFixture : public testing::TestWithParam<std::string> {};

TEST_P(RuleFixture, HasTheMarkedFindings) {
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
  RuleSelection selection;
  selection.select = RulesUnderTest(fixture);
  Expected found, related;
  std::string messages;
  for (const Diagnostic& finding : RunRules((*session)->facts(), selection)) {
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

}  // namespace
}  // namespace tilewise
