// What tilewise knows, in every format, and its JSON against the published
// schema.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_tilewise.h"
#include "tests/support/checked_by_python.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kSchema[] = TILEWISE_SOURCE_DIR "/docs/schema/list.schema.json";

const std::vector<std::string> kListings = {
    "list rules",    "list chips",           "list chips --verbose",
    "list hosts",    "list hosts --verbose", "list formats",
    "list zoo",      "list passes",          "explain IP002",
    "explain SU001", "explain RD004",        "explain oversized-module"};

nlohmann::json JsonOf(const std::string& arguments) {
  const RunResult run = RunTilewise(arguments + " --format json");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return nlohmann::json::parse(run.out, nullptr, false);
}

class ListSchema : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!HasSchemaValidator()) GTEST_SKIP() << "no python3-jsonschema";
  }
  static bool Follows(const std::string& json) { return FollowsSchema(json, kSchema); }
};

TEST_F(ListSchema, DescribesEveryListing) {
  for (const std::string& arguments : kListings) {
    EXPECT_TRUE(Follows(RunTilewise(arguments + " --format json").out)) << arguments;
  }
}

TEST_F(ListSchema, RejectsWhatItDoesNotDescribe) {
  nlohmann::json json = JsonOf("list rules");
  json["rules"][0]["severity"] = "fatal";
  EXPECT_FALSE(Follows(json.dump()));
  json = JsonOf("list chips --verbose");
  json["chips"][0]["numbers"][0]["value"] = "2";
  EXPECT_FALSE(Follows(json.dump()));
  json = JsonOf("explain IP002");
  json["rules"][0].erase("doc");
  EXPECT_FALSE(Follows(json.dump()));
  json = JsonOf("list hosts");
  json.erase("hosts");
  EXPECT_FALSE(Follows(json.dump()));
}

TEST(List, RulesChipsHostsAndFormats) {
  EXPECT_THAT(RunTilewise("list rules").out, HasSubstr("IP002"));
  EXPECT_THAT(RunTilewise("list rules").out, HasSubstr("SU002  unknown-supp"));
  EXPECT_THAT(RunTilewise("list chips").out, HasSubstr("v5e"));
  EXPECT_THAT(RunTilewise("list hosts").out, HasSubstr("colab"));
  EXPECT_THAT(RunTilewise("list formats").out, HasSubstr("markdown"));
  EXPECT_THAT(RunTilewise("list chips --verbose").out, HasSubstr("source"));
}

TEST(List, JsonHoldsTheRowsOfTheText) {
  const nlohmann::json json = JsonOf("list rules");
  const std::string text = RunTilewise("list rules").out;
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["command"], "list");
  std::set<std::string> ids;
  for (const char* section : {"rules", "notes"}) {
    for (const auto& rule : json[section]) {
      const std::string id = rule["id"];
      EXPECT_THAT(text, HasSubstr("\n" + id + "  "));
      EXPECT_THAT(text, HasSubstr(rule["summary"].get<std::string>()));
      ids.insert(id);
    }
  }
  // One line for each, two for the titles of each section, one between them.
  EXPECT_EQ(ids.size() + 5, std::count(text.begin(), text.end(), '\n'));
}

// Any "AB123" of a source may be printed.
TEST(List, HasEveryIdThatASourceNames) {
  const nlohmann::json json = JsonOf("list rules");
  std::set<std::string> known;
  for (const char* section : {"rules", "notes"}) {
    for (const auto& row : json[section]) known.insert(row["id"]);
  }
  const std::regex id("\"([A-Z]{2}[0-9]{3})\"");
  size_t seen = 0;
  for (const char* folder : {"frontend", "rules", "lint", "report", "cli"}) {
    const fs::path root = fs::path(TILEWISE_SOURCE_DIR) / folder;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".cc") continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      const std::string source = text.str();
      for (std::sregex_iterator it(source.begin(), source.end(), id), end; it != end; ++it) {
        ++seen;
        EXPECT_TRUE(known.contains((*it)[1])) << entry.path() << " " << (*it)[1];
      }
    }
  }
  EXPECT_GT(seen, known.size());
}

TEST(List, NotesAreExplainedButAreNoRules) {
  EXPECT_THAT(RunTilewise("explain RD004").out,
              AllOf(HasSubstr("RD004 shape-disagrees (note)"), HasSubstr("cannot be lowered"),
                    HasSubstr("Remedy")));
  EXPECT_THAT(RunTilewise("explain RD009").err, HasSubstr("did you mean 'RD001'"));
  const RunResult ignored = RunTilewise("lint . --ignore RD002 --no-config");
  EXPECT_EQ(ignored.exit_code, 2);
  EXPECT_THAT(ignored.err, HasSubstr("notes cannot be selected or ignored"));
}

TEST(List, RulesSayWhichSetTheyAreIn) {
  const nlohmann::json json = JsonOf("list rules");
  const auto in_default = [](const nlohmann::json& rule) { return rule["set"] == "default"; };
  EXPECT_TRUE(std::ranges::any_of(json["rules"], in_default));
}

TEST(List, ChipsHaveTheirNumbersOnlyWhenAskedFor) {
  const nlohmann::json brief = JsonOf("list chips");
  const nlohmann::json full = JsonOf("list chips --verbose");
  ASSERT_EQ(brief["chips"].size(), full["chips"].size());
  EXPECT_FALSE(brief["chips"][0].contains("numbers"));
  for (const auto& chip : full["chips"]) {
    EXPECT_GT(chip["numbers"].size(), 30u) << chip["name"];
  }
}

TEST(List, ZooHasEveryParameterWithItsDefault) {
  const nlohmann::json json = JsonOf("list zoo");
  EXPECT_EQ(json["zoo_models"][0]["name"], "zoo:alexnet");
  bool found = false;
  for (const auto& row : json["zoo_parameters"]) {
    if (row["model"] != "decoder" || row["parameter"] != "kv_heads") continue;
    found = true;
    EXPECT_EQ(row["default"], "8");
  }
  EXPECT_TRUE(found);
  EXPECT_THAT(RunTilewise("list zoo").out, HasSubstr("reference|flash"));
}

TEST(List, FormatsAreThoseReadAndThoseWritten) {
  const nlohmann::json json = JsonOf("list formats");
  std::set<std::string> read;
  for (const auto& format : json["input_formats"]) {
    read.insert(format["name"].get<std::string>());
  }
  EXPECT_TRUE(read.contains("keras-json"));
  EXPECT_TRUE(read.contains("python"));
  EXPECT_EQ(json["output_formats"][0]["name"], "text");
}

TEST(List, MarkdownIsATable) {
  std::istringstream text(RunTilewise("list hosts --format markdown").out);
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  ASSERT_GE(lines.size(), 7u);
  lines.resize(7);
  EXPECT_THAT(lines, ElementsAre("# tilewise list", "", "## hosts", "", "| name | description |",
                                 "| --- | --- |", MatchesRegex("\\| colab \\| .* \\|")));
}

TEST(List, FileHasWhatStandardOutputWouldHave) {
  const TemporaryFolder folder;
  const std::string file = folder.path("rules.md");
  const std::string arguments = "list rules --format markdown";
  EXPECT_EQ(RunTilewise(arguments + " --output " + file).out, "");
  const RunResult read = RunTilewise("--version; cat " + file);
  EXPECT_THAT(read.out, testing::EndsWith(RunTilewise(arguments).out));
  EXPECT_EQ(RunTilewise("list rules --output /nowhere/r").exit_code, 2);
}

TEST(List, ColourMarksTitlesAndChangesNoText) {
  for (const std::string& arguments : kListings) {
    const std::string plain = RunTilewise(arguments).out;
    std::string painted = RunTilewise(arguments + " --color always").out;
    EXPECT_THAT(plain, Not(HasSubstr("\x1b")));
    EXPECT_THAT(painted, HasSubstr("\x1b[1m")) << arguments;
    for (const std::string code : {"\x1b[1m", "\x1b[0m"}) {
      for (size_t at = 0; (at = painted.find(code)) != std::string::npos;) {
        painted.erase(at, code.size());
      }
    }
    EXPECT_EQ(painted, plain) << arguments;
  }
}

TEST(Explain, ShowsTheRulesOwnText) {
  const RunResult by_id = RunTilewise("explain IP002");
  EXPECT_EQ(by_id.exit_code, 0) << by_id.err;
  EXPECT_THAT(by_id.out, StartsWith("IP002 prefetch-not-last (warning, fix: safe, default set): "));
  EXPECT_THAT(by_id.out, HasSubstr("\nRemedy: "));
  EXPECT_EQ(by_id.out, RunTilewise("explain prefetch-not-last").out);
}

TEST(Explain, KnowsWhatIsSaidOfSuppressions) {
  EXPECT_THAT(RunTilewise("explain SU002").out, StartsWith("SU002 unknown-suppression (warning, "));
  EXPECT_THAT(RunTilewise("explain unknown-supression").err,
              HasSubstr("did you mean 'unknown-suppression'?"));
}

TEST(Explain, JsonHasAParagraphForEachHeading) {
  const nlohmann::json listed = JsonOf("list rules");
  for (const auto& rule : listed["rules"]) {
    const std::string id = rule["id"];
    nlohmann::json explained = JsonOf("explain " + id)["rules"][0];
    for (const char* heading : {"what", "why", "remedy", "ignore", "sources"}) {
      EXPECT_NE(explained["doc"].value(heading, ""), "") << id << heading;
    }
    explained.erase("doc");
    explained.erase("thresholds");
    explained.erase("examples");
    EXPECT_EQ(explained, rule);
  }
}

TEST(Explain, ShowsThresholdsWithTheirKeys) {
  const nlohmann::json listed = JsonOf("list rules");
  for (const auto& rule : listed["rules"]) {
    const std::string id = rule["id"];
    const nlohmann::json explained = JsonOf("explain " + id)["rules"][0];
    if (!explained.contains("thresholds")) continue;
    const std::string text = RunTilewise("explain " + id).out;
    for (const auto& threshold : explained["thresholds"]) {
      EXPECT_THAT(threshold["key"].get<std::string>(), StartsWith(id + "."));
      EXPECT_THAT(text, HasSubstr(threshold["key"].get<std::string>()));
    }
    return;
  }
  FAIL() << "no rule has thresholds";
}

TEST(Explain, ShowsAProgramWithTheFindingAndOneWithout) {
  const nlohmann::json rule = JsonOf("explain IP002")["rules"][0];
  ASSERT_EQ(rule["examples"].size(), 2u);
  EXPECT_TRUE(rule["examples"][0]["has_finding"]);
  EXPECT_FALSE(rule["examples"][1]["has_finding"]);
  const RunResult text = RunTilewise("explain IP002");
  for (const auto& example : rule["examples"]) {
    const std::string file = example["file"];
    std::ostringstream fixture;
    fixture << std::ifstream(TILEWISE_SOURCE_DIR "/tests/rules/fixtures/IP002/" + file).rdbuf();
    EXPECT_EQ(example["text"], fixture.str());
    EXPECT_THAT(text.out, HasSubstr(" (" + file + "):\n    # chip"));
  }
}

TEST(Explain, MarkdownEscapesWhatIsNoMarkup) {
  const std::string text = RunTilewise("explain HL001 --format markdown").out;
  EXPECT_THAT(text, HasSubstr("\n### HL001 "));
  EXPECT_THAT(text, HasSubstr("\n**Why:** "));
  EXPECT_THAT(text, HasSubstr("steps\\_per\\_execution"));
}

}  // namespace
}  // namespace tilewise
