// Which rules run: layers of select, ignore and severity.

#include "lint/config_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

LintConfig Config(const std::string& text) {
  auto config = ParseConfig(text, "/p/.tilewise.yaml");
  EXPECT_TRUE(config.ok()) << config.status();
  return *std::move(config);
}

RuleConfig Rules(const std::string& text, const RuleOverrides& overrides = {},
                 const std::string& file = "/p/train.py") {
  auto rules = RulesFor(Config(text), overrides, file);
  EXPECT_TRUE(rules.ok()) << rules.status();
  return *std::move(rules);
}

bool Runs(const RuleConfig& rules, std::string_view id) { return Selects(rules.selection, id); }

std::string Error(const std::string& text, const RuleOverrides& overrides = {}) {
  const auto rules = RulesFor(Config(text), overrides, "/p/train.py");
  EXPECT_FALSE(rules.ok());
  return Message(rules.status());
}

TEST(RulesFor, NothingSaidIsTheDefaultSet) {
  const RuleConfig rules = Rules("");
  EXPECT_TRUE(rules.selection.select.empty());
  EXPECT_TRUE(rules.selection.ignore.empty());
  EXPECT_TRUE(Runs(rules, "IP002"));
  EXPECT_TRUE(Runs(rules, "SU001"));
}

TEST(RulesFor, SelectsByIdNameAndFamily) {
  const RuleConfig rules = Rules("select: [IP002, tile-pad-waste, HL]\n");
  EXPECT_TRUE(Runs(rules, "IP002"));
  EXPECT_TRUE(Runs(rules, "AL001"));
  EXPECT_TRUE(Runs(rules, "HL001"));
  EXPECT_FALSE(Runs(rules, "IP001"));
  EXPECT_FALSE(Runs(rules, "SU001"));
}

TEST(RulesFor, ARuleWinsOverItsFamilyWithinALayer) {
  EXPECT_TRUE(Runs(Rules("select: [IP002]\nignore: [IP]\n"), "IP002"));
  const RuleConfig rules = Rules("select: [IP]\nignore: [IP002]\n");
  EXPECT_FALSE(Runs(rules, "IP002"));
  EXPECT_TRUE(Runs(rules, "IP001"));
}

TEST(RulesFor, ExtendSelectKeepsTheDefaultSet) {
  const RuleConfig rules = Rules("ignore: [IP]\nextend-select: [IP002]\n");
  EXPECT_TRUE(Runs(rules, "IP002"));
  EXPECT_FALSE(Runs(rules, "IP001"));
  EXPECT_TRUE(Runs(rules, "HL001"));
}

TEST(RulesFor, SelectOfAFlagStartsAnew) {
  const RuleConfig rules = Rules("select: [AL]\nignore: [IP002]\n", {.select = {"IP"}});
  EXPECT_TRUE(Runs(rules, "IP002"));
  EXPECT_FALSE(Runs(rules, "AL001"));
}

TEST(RulesFor, IgnoreOfAFlagAddsToTheConfiguration) {
  const RuleConfig rules = Rules("ignore: [IP002]\n", {.ignore = {"AL001"}});
  EXPECT_FALSE(Runs(rules, "IP002"));
  EXPECT_FALSE(Runs(rules, "AL001"));
  EXPECT_TRUE(Runs(rules, "AL005"));
}

TEST(RulesFor, IgnoringAllLeavesNone) {
  const RuleConfig rules = Rules("ignore: [ALL]\n");
  EXPECT_FALSE(Runs(rules, "IP002"));
  EXPECT_FALSE(Runs(rules, "SU001"));
}

TEST(RulesFor, SeverityByFamilyAndRule) {
  const RuleConfig rules = Rules("severity: {AL001: info, AL: error, IP: off}\n");
  EXPECT_EQ(rules.settings.severities.at("AL001"), Severity::kInfo);
  EXPECT_EQ(rules.settings.severities.at("AL005"), Severity::kError);
  EXPECT_FALSE(Runs(rules, "IP002"));
}

TEST(RulesFor, FlagsWinOverTheConfigurationsSeverity) {
  const RuleConfig rules =
      Rules("severity: {AL001: off, AL005: error}\n", {.severity = {"AL001=warning", "AL=info"}});
  EXPECT_TRUE(Runs(rules, "AL001"));
  EXPECT_EQ(rules.settings.severities.at("AL001"), Severity::kWarning);
  EXPECT_EQ(rules.settings.severities.at("AL005"), Severity::kInfo);
}

TEST(RulesFor, PerPathCountsForTheFilesThatItMeans) {
  const std::string text =
      "per-path:\n  - paths: ['tests/**']\n    ignore: [IP]\n"
      "    severity: {AL001: info}\n";
  EXPECT_TRUE(Runs(Rules(text, {}, "/p/train.py"), "IP002"));
  const RuleConfig tests = Rules(text, {}, "/p/tests/train.py");
  EXPECT_FALSE(Runs(tests, "IP002"));
  EXPECT_EQ(tests.settings.severities.at("AL001"), Severity::kInfo);
}

TEST(RulesFor, WrongWordsAreNamedWithTheirPlace) {
  EXPECT_THAT(Error("select: [IP02]\n"), StartsWith("/p/.tilewise.yaml:1:9: found rule 'IP02'"));
  EXPECT_THAT(Error("ignore: [prefetch-not-lst]\n"),
              HasSubstr("did you mean 'prefetch-not-last'?"));
  EXPECT_THAT(Error("", {.select = {"XX"}}), StartsWith("--select: found rule 'XX'"));
  EXPECT_THAT(Error("severity: {AL001: eror}\n"), HasSubstr("did you mean 'error'?"));
  EXPECT_THAT(Error("severity: {AL999: error}\n"), HasSubstr("'AL999'"));
  EXPECT_THAT(Error("", {.severity = {"AL001"}}),
              StartsWith("--severity: found 'AL001', expected RULE=LEVEL"));
  EXPECT_THAT(Error("per-path: [{paths: a, ignore: [IPP]}]\n"), HasSubstr("found rule 'IPP'"));
}

TEST(RulesFor, ThresholdsAreCheckedAgainstTheirRule) {
  EXPECT_THAT(Error("thresholds: {AL999.x: 1}\n"), HasSubstr("AL999"));
  EXPECT_THAT(Error("thresholds: {IP002.no-such-thing: 1}\n"),
              HasSubstr("found threshold 'no-such-thing' of IP002"));
  EXPECT_THAT(Error("thresholds: {AL: 1}\n"), HasSubstr("expected RULE.name"));
  for (const Rule* rule : AllRules()) {
    for (const Threshold& threshold : rule->info.thresholds) {
      const std::string key = std::string(rule->info.id) + "." + std::string(threshold.name);
      const RuleConfig rules = Rules("", {.thresholds = {std::string(rule->info.name) + "." +
                                                         std::string(threshold.name) + "=25%"}});
      EXPECT_DOUBLE_EQ(rules.settings.thresholds.at(key), 0.25) << key;
      EXPECT_THAT(Error("", {.thresholds = {key + "=many"}}), HasSubstr("expected a number"));
    }
  }
}

TEST(RulesFor, PreviewAddsNewRules) {
  for (const Rule* rule : AllRules()) {
    if (rule->info.set != RuleSet::kPreview) continue;
    const std::string id(rule->info.id);
    EXPECT_FALSE(Runs(Rules(""), id)) << id;
    EXPECT_TRUE(Runs(Rules("preview: true\n"), id)) << id;
    EXPECT_FALSE(Runs(Rules("preview: true\n", {.preview = false}), id)) << id;
    EXPECT_TRUE(Runs(Rules("select: [" + id + "]\n"), id)) << id;
  }
}

}  // namespace
}  // namespace tilewise
