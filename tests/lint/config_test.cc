// Configuration files: text in, settings or one clear message out.

#include "lint/config.h"

#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/config_files.h"
#include "lint/config_keys.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The configuration of `text`, at /project/.tilewise.yaml.
LintConfig Parsed(const std::string& text) {
  auto config = ParseConfig(text, "/project/.tilewise.yaml");
  EXPECT_TRUE(config.ok()) << config.status();
  return config.ok() ? *config : LintConfig{};
}

std::string Error(const std::string& text) {
  const auto config = ParseConfig(text, "c.yaml");
  EXPECT_FALSE(config.ok());
  return Message(config.status());
}

std::string Value(const LintConfig& config, const std::string& key) {
  const auto found = config.settings.find(key);
  if (found == config.settings.end()) return "(none)";
  std::string text;
  for (const std::string& word : found->second.words) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

TEST(Config, TakesScalarsListsAndFlags) {
  const LintConfig config = Parsed(
      "chip: v3\ncores: 8\nbatch: 4096\ncache: no\nbatch-dim: x:0\n"
      "fail-on: error\n");
  EXPECT_EQ(Value(config, "chip"), "v3");
  EXPECT_EQ(Value(config, "cores"), "8");
  EXPECT_EQ(Value(config, "cache"), "false");
  EXPECT_EQ(Value(config, "batch-dim"), "x:0");
  EXPECT_EQ(config.settings.at("fail-on").from.line, 6);
  EXPECT_EQ(config.settings.at("fail-on").from.column, 10);
}

TEST(Config, MeasuredCostsOfThePipelineAreAMap) {
  const absl::StatusOr<LintConfig> config = ParseConfig(
      "pipeline:\n  augment: 850us\n  train.py:31: [3ms, 12kB]\n  source.stream: 80MB/s\n",
      "/repo/.tilewise.yaml");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_THAT(config->settings.at("pipeline").words,
              testing::ElementsAre("augment=850us", "train.py:31=3ms", "train.py:31=12kB",
                                   "source.stream=80MB/s"));
}

TEST(Config, AnEmptyFileSaysNothing) {
  EXPECT_TRUE(Parsed("").settings.empty());
  EXPECT_TRUE(Parsed("# only a comment\n").settings.empty());
  EXPECT_TRUE(Parsed("---\n").settings.empty());
}

TEST(Config, AnUnknownKeyIsNamedWithItsPlaceAndTheNearestOne) {
  const std::string error = Error("chip: v3\n\nslect: [AL]\n");
  EXPECT_THAT(error, StartsWith("c.yaml:3:1: found key 'slect'"));
  EXPECT_THAT(error, HasSubstr("did you mean 'select'?"));
}

TEST(Config, AValueOfAnotherKindIsNamedWithItsPlace) {
  EXPECT_EQ(Error("batch: many\n"), "c.yaml:1:8: found 'many', expected a whole number");
  EXPECT_EQ(Error("chip: [v3]\n"), "c.yaml:1:7: found a list, expected a word");
  EXPECT_EQ(Error("cache: perhaps\n"), "c.yaml:1:8: found 'perhaps', expected true or false");
  EXPECT_EQ(Error("select: {IP: true}\n"),
            "c.yaml:1:9: found a map, expected a word or a list of words");
  EXPECT_EQ(Error("- a\n"), "c.yaml:1:1: found a list, expected keys");
  EXPECT_THAT(Error("chip:\n"), HasSubstr("found nothing, expected a word"));
}

TEST(Config, WhatIsNoYamlIsNamedWithItsPlace) {
  EXPECT_THAT(Error("chip: [v3\n"), HasSubstr(": found no YAML"));
  EXPECT_THAT(Error("chip: v3\nchip: v2\n"), StartsWith("c.yaml:2:1: found 'chip' twice"));
  EXPECT_THAT(Error("chip: v3\n---\nchip: v2\n"), HasSubstr("found a second document"));
  EXPECT_THAT(Error(" ,\"a\n}\n"), HasSubstr("found a second document"));
  EXPECT_THAT(Error("? [a]\n: b\n"), HasSubstr("a key that is no text"));
  EXPECT_THAT(Error(std::string("chip: \0\x01\n", 9)), StartsWith("c.yaml:"));
}

TEST(Config, HostileYamlEndsInAMessage) {
  EXPECT_THAT(Error("select: " + std::string(100, '[') + "a" + std::string(100, ']')),
              HasSubstr("deeper than 16 levels"));
  EXPECT_THAT(Error(std::string(20'000, '[')), StartsWith("c.yaml:"));
  // Each alias stands for ten of the one before.
  std::string bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n";
  for (char c = 'b'; c < 'k'; ++c) {
    const std::string before = std::string("*") + static_cast<char>(c - 1);
    bomb += fmt::format("{0}: &{0} [", c);
    for (int i = 0; i < 10; ++i) bomb += (i > 0 ? "," : "") + before;
    bomb += "]\n";
  }
  EXPECT_THAT(Error(bomb), HasSubstr("more than 100,000 values"));
}

TEST(Config, TwoThatExcludeEachOtherAreAnError) {
  EXPECT_EQ(Error("batch: 8\nbatch-per-core: 1\n"),
            "c.yaml:2:17: found both 'batch' and 'batch-per-core', expected "
            "one of them");
}

TEST(Config, PathsAndGlobsStartFromItsFolder) {
  const LintConfig config = Parsed(
      "chip: chips/own.txtpb\nbaseline: known.json\n"
      "exclude: [gen, build/**, /top]\n");
  EXPECT_EQ(Value(config, "chip"), "/project/chips/own.txtpb");
  EXPECT_EQ(Value(config, "baseline"), "/project/known.json");
  EXPECT_EQ(Value(config, "exclude"), "gen /project/build/** /project/top");
}

TEST(Config, ReadsWhatIsSaidOfRules) {
  const LintConfig config = Parsed(
      "select: [AL, IP002]\nignore: OP001\npreview: true\n"
      "severity: {AL001: error, IP: off}\nthresholds: {AL009.min-ratio: "
      "0.5}\n");
  EXPECT_THAT(config.rules.select->words, ElementsAre("AL", "IP002"));
  EXPECT_THAT(config.rules.ignore->words, ElementsAre("OP001"));
  EXPECT_EQ(config.rules.preview, true);
  ASSERT_EQ(config.rules.severity.size(), 2u);
  EXPECT_EQ(config.rules.severity[1].key, "IP");
  EXPECT_EQ(config.rules.severity[1].value, "off");
  EXPECT_EQ(config.rules.severity[1].from.column, 26);
  EXPECT_EQ(config.rules.thresholds[0].value, "0.5");
}

TEST(Config, ReadsEntriesOfItsSections) {
  const LintConfig config = Parsed(
      "per-path:\n  - paths: tests/**\n    ignore: [IP]\n"
      "suppress:\n  - {rule: OP001, path: '*.onnx', node: enc/*, reason: r}\n"
      "workloads:\n  - {name: big, files: [m.json, t.py], batch: 64}\n");
  ASSERT_EQ(config.per_path.size(), 1u);
  EXPECT_THAT(config.per_path[0].paths, ElementsAre("/project/tests/**"));
  EXPECT_THAT(config.per_path[0].rules.ignore->words, ElementsAre("IP"));
  ASSERT_EQ(config.suppress.size(), 1u);
  EXPECT_EQ(config.suppress[0].node, "enc/*");
  EXPECT_EQ(config.suppress[0].from.line, 5);
  ASSERT_EQ(config.workloads.size(), 1u);
  EXPECT_THAT(config.workloads[0].files, ElementsAre("/project/m.json", "/project/t.py"));
  EXPECT_EQ(config.workloads[0].settings.at("batch").words[0], "64");
}

TEST(Config, EntriesOfSectionsAreCheckedToo) {
  EXPECT_THAT(Error("suppress:\n  - {rul: OP001}\n"),
              HasSubstr("c.yaml:2:6: found key 'rul' in an entry of suppress"));
  EXPECT_THAT(Error("suppress:\n  - {path: a}\n"),
              HasSubstr("an entry of suppress without 'rule'"));
  EXPECT_THAT(Error("per-path:\n  - {ignore: [IP]}\n"), HasSubstr("without 'paths'"));
  EXPECT_THAT(Error("workloads:\n  - {files: a, format: json}\n"), HasSubstr("found key 'format'"));
  EXPECT_THAT(Error("workloads:\n  - {files: []}\n"), HasSubstr("no files"));
  EXPECT_THAT(Error("workloads: [{name: a, files: b}, {name: a, files: c}]\n"),
              HasSubstr("workload 'a' twice"));
}

class ConfigOnDisk : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_.path(name);
    std::filesystem::create_directories(path.parent_path());
    return folder_.Write(name, text);
  }
  TemporaryFolder folder_;
};

TEST_F(ConfigOnDisk, NearerWinsOverWhatItExtends) {
  Write("shared/base.yaml",
        "chip: v2\nbatch-per-core: 64\nignore: [IP]\nextend-select: [ME]\n"
        "severity: {AL001: error, AL005: info}\n");
  const std::string path = Write(".tilewise.yaml",
                                 "extends: shared/base.yaml\nbatch: 512\nignore: [OP]\n"
                                 "extend-select: [CO]\nseverity: {AL001: info}\n");
  const auto config = ReadConfig(path);
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(Value(*config, "chip"), "v2");
  EXPECT_EQ(Value(*config, "batch"), "512");
  EXPECT_EQ(Value(*config, "batch-per-core"), "(none)");
  EXPECT_THAT(config->rules.ignore->words, ElementsAre("OP"));
  EXPECT_THAT(config->rules.extend_select->words, ElementsAre("ME", "CO"));
  EXPECT_EQ(config->rules.severity.back().value, "info");
  EXPECT_EQ(config->file, path);
}

TEST_F(ConfigOnDisk, ACircleOfExtendsIsAnError) {
  Write("a.yaml", "extends: b.yaml\n");
  const std::string b = Write("b.yaml", "extends: [a.yaml]\n");
  const auto config = ReadConfig(b);
  ASSERT_FALSE(config.ok());
  EXPECT_THAT(Message(config.status()), HasSubstr("circle"));
}

TEST_F(ConfigOnDisk, ExtendsThatDoubleAtEachLevelAreAnError) {
  for (int i = 0; i < 20; ++i) {
    Write(fmt::format("{}.yaml", i), fmt::format("extends: [{0}.yaml, {0}.yaml]\n", i + 1));
  }
  Write("20.yaml", "chip: v3\n");
  const auto config = ReadConfig(folder_.path("0.yaml"));
  ASSERT_FALSE(config.ok());
  EXPECT_THAT(Message(config.status()), HasSubstr("more than 100"));
}

TEST_F(ConfigOnDisk, AMissingExtendedFileNamesBoth) {
  const std::string path = Write("c.yaml", "extends: gone.yaml\n");
  const auto config = ReadConfig(path);
  ASSERT_FALSE(config.ok());
  EXPECT_THAT(Message(config.status()), HasSubstr("c.yaml:1:10"));
  EXPECT_THAT(Message(config.status()), HasSubstr("gone.yaml"));
}

TEST_F(ConfigOnDisk, TheNearestFileUpwardsCountsForEachFile) {
  Write(".tilewise.yaml", "chip: v2\n");
  Write("deep/.tilewise.yaml", "chip: v3\n");
  const std::string outer = Write("train.py", "");
  const std::string inner = Write("deep/er/train.py", "");
  ConfigFiles files({});
  EXPECT_EQ(Value(**files.For(outer), "chip"), "v2");
  EXPECT_EQ(Value(**files.For(inner), "chip"), "v3");
  EXPECT_EQ(files.For(inner)->get(), files.For(folder_.path("deep"))->get());
  ConfigFiles none({.file = "", .isolated = true});
  EXPECT_EQ(Value(**none.For(inner), "chip"), "(none)");
  ConfigFiles one({.file = folder_.path(".tilewise.yaml")});
  EXPECT_EQ(Value(**one.For(inner), "chip"), "v2");
}

TEST_F(ConfigOnDisk, PathsOfACheckoutStartFromItsRoot) {
  Write(".git/config", "");
  const std::string path = Write("sub/.tilewise.yaml", "");
  const auto config = ReadConfig(path);
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->root + "/.git", folder_.path(".git"));
}

TEST_F(ConfigOnDisk, OfACheckoutStaysInIt) {
  Write(".git/config", "");
  Write("base.yaml", "chip: v3\n");
  const std::string path = Write("sub/.tilewise.yaml", "extends: ../base.yaml\noutput: x\n");
  const auto config = ReadConfig(path, ConfigOwner::kCheckout);
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(Value(*config, "chip"), "v3");
  EXPECT_EQ(Value(*config, "output"), "(none)");
  ASSERT_EQ(config->warnings.size(), 1u);
  EXPECT_THAT(config->warnings[0], HasSubstr("TILEWISE_OUTPUT"));
  Write("sub/.tilewise.yaml", "baseline: ../../known.json\n");
  EXPECT_THAT(Message(ReadConfig(path, ConfigOwner::kCheckout).status()),
              HasSubstr("out of the checkout"));
  EXPECT_TRUE(ReadConfig(path).ok());
}

TEST(ConfigKeys, AreUniqueAndHaveVariables) {
  std::set<std::string_view> names;
  for (const ConfigKey& key : ConfigKeys()) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_NE(key.summary, "") << key.name;
  }
  EXPECT_EQ(VariableOf("fail-on"), "TILEWISE_FAIL_ON");
  EXPECT_EQ(FindConfigKey("fail-off"), nullptr);
}

}  // namespace
}  // namespace tilewise
