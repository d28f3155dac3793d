// The project's promises about itself that a reader cannot check at a glance.

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/project/source_tree.h"

namespace tilewise {
namespace {

std::vector<std::string> RuleIds() {
  std::vector<std::string> ids;
  const std::string text = ReadProjectFile("rules/rules.def");
  const std::regex line("TW_RULE_ID\\((\\w+)\\)");
  for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it) {
    ids.push_back((*it)[1]);
  }
  return ids;
}

TEST(Rules, AreListedOnceInOrder) {
  const std::vector<std::string> ids = RuleIds();
  ASSERT_GE(ids.size(), 22u);
  EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
}

TEST(Rules, HaveFixtures) {
  for (const std::string& id : RuleIds()) {
    const std::vector<std::string> fixtures = ProjectFiles(
        "tests/rules/fixtures/" + id,
        {".graph", ".py", ".json", ".ipynb", ".log", ".hlo", ".mlir", ".pbtxt", ".txt", ".cc"});
    EXPECT_GE(fixtures.size(), 2u) << "fixtures of " << id;
  }
}

TEST(Readme, NamesOnlyScriptsThatExist) {
  const std::string readme = ReadProjectFile("README.md");
  ASSERT_NE(readme, "") << "no README.md";
  const std::regex script("\\./(scripts/[a-z_]+|\\.ci/run)");
  std::set<std::string> named;
  for (std::sregex_iterator it(readme.begin(), readme.end(), script), end; it != end; ++it) {
    named.insert((*it)[1]);
  }
  for (const std::string& path : named) {
    EXPECT_NE(ReadProjectFile(path), "") << path;
  }
  EXPECT_TRUE(named.contains("scripts/demo"));
  EXPECT_TRUE(named.contains("scripts/test"));
}

TEST(Readme, ShowsItsTwoCommandsEarly) {
  std::istringstream readme(ReadProjectFile("README.md"));
  std::set<std::string> seen;
  std::string line;
  for (int number = 1; number <= 25 && std::getline(readme, line); ++number) {
    for (const std::string command : {"./scripts/demo", "./scripts/test"}) {
      if (line.find(command) != std::string::npos) seen.insert(command);
    }
  }
  EXPECT_EQ(seen.size(), 2u);
}

TEST(Scripts, AreExecutableAndStrict) {
  namespace fs = std::filesystem;
  for (const std::string path : {"scripts/setup", "scripts/demo", "scripts/test", "scripts/tidy",
                                 "scripts/quietly", "scripts/rule-docs", ".ci/run"}) {
    const fs::path file = fs::path(TILEWISE_SOURCE_DIR) / path;
    const auto mode = fs::status(file).permissions();
    EXPECT_NE(mode & fs::perms::owner_exec, fs::perms::none) << path;
    EXPECT_NE(ReadProjectFile(path).find("set -euo pipefail"), std::string::npos) << path;
  }
}

TEST(Scripts, TestsCheckTheFormatAndCiRunsTheTests) {
  EXPECT_NE(ReadProjectFile("scripts/test").find("clang-format-14 --dry-run"), std::string::npos);
  EXPECT_NE(ReadProjectFile(".ci/run").find("scripts/test"), std::string::npos);
}

TEST(Files, StayShortEnoughToReadAtOnce) {
  for (const std::string& path : ProjectFiles("", {".cc", ".h"})) {
    const std::string text = ReadProjectFile(path);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 500) << path;
  }
}

TEST(Files, StartWithAComment) {
  for (const std::string& path : ProjectFiles("", {".cc", ".h"})) {
    EXPECT_TRUE(ReadProjectFile(path).starts_with("//")) << path;
  }
}

TEST(Code, NamesNoChip) {
  const std::regex chip("\"(v2|v3|v4|v5e|v5p|v6e|v7x)\"");
  for (const std::string& path : ProjectFiles("", {".cc", ".h"})) {
    // Tests and benchmarks name targets.
    if (path.starts_with("tests/") || path.starts_with("bench/")) continue;
    std::istringstream text(ReadProjectFile(path));
    for (std::string line; std::getline(text, line);) {
      const std::string code = line.substr(0, line.find("//"));
      EXPECT_FALSE(std::regex_search(code, chip)) << path << ": " << line;
    }
  }
}

}  // namespace
}  // namespace tilewise
