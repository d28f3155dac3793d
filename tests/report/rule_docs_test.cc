// docs/rules is what the rules and their fixtures say today.
// TILEWISE_UPDATE_GOLDENS=1 writes the pages; scripts/rule-docs does it.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/rule_doc.h"
#include "rules/note_kinds.h"
#include "rules/suppression_rules.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kFixtures[] = {TILEWISE_SOURCE_DIR "/tests/rules/fixtures",
                                     TILEWISE_SOURCE_DIR "/tests/lint/fixtures"};
constexpr char kPages[] = TILEWISE_SOURCE_DIR "/docs/rules";

std::string ReadAll(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

bool FitsAPage(const std::string& text) {
  constexpr int kLines = 80;
  constexpr size_t kLine = 300;
  std::istringstream lines(text);
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (++count > kLines || line.size() > kLine) return false;
  }
  return std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 || c == '\n' || c == '\t';
  });
}

// Whether a line of the fixture wants the rule.
bool Wants(const std::string& text, std::string_view rule) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t mark = line.find("want:");
    if (mark != std::string::npos && line.find(rule, mark) != std::string::npos) {
      return true;
    }
  }
  return false;
}

std::vector<RuleExample> ExamplesOf(std::string_view rule) {
  std::vector<RuleExample> examples;
  for (const char* fixtures : kFixtures) {
    const fs::path folder = fs::path(fixtures) / rule;
    if (!fs::is_directory(folder)) continue;
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string file = entry.path().filename().string();
      if (!entry.is_regular_file()) continue;
      const std::string text = ReadAll(entry.path());
      examples.push_back({.file = file,
                          .text = FitsAPage(text) ? text : "",
                          .bad = file.starts_with("bad") || Wants(text, rule)});
    }
  }
  std::ranges::sort(examples, {}, &RuleExample::file);
  return examples;
}

// By file name.
std::map<std::string, std::string> Pages() {
  std::map<std::string, std::string> pages;
  const std::vector<const Rule*> rules = ListedRules();
  for (const Rule* rule : rules) {
    pages[std::string(rule->info.id) + ".md"] = RulePage(rule->info, ExamplesOf(rule->info.id));
  }
  pages["README.md"] = RuleIndex(rules, NoteKinds());
  return pages;
}

std::map<std::string, std::string> PagesOnDisk() {
  std::map<std::string, std::string> pages;
  if (!fs::is_directory(kPages)) return pages;
  for (const auto& entry : fs::directory_iterator(kPages)) {
    pages[entry.path().filename().string()] = ReadAll(entry.path());
  }
  return pages;
}

void Write(const std::map<std::string, std::string>& pages) {
  fs::create_directories(kPages);
  for (const auto& [name, text] : PagesOnDisk()) {
    if (!pages.contains(name)) fs::remove(fs::path(kPages) / name);
  }
  for (const auto& [name, text] : pages) {
    std::ofstream(fs::path(kPages) / name, std::ios::binary) << text;
  }
}

TEST(RuleDocs, AreFresh) {
  const auto pages = Pages();
  if (std::getenv("TILEWISE_UPDATE_GOLDENS") != nullptr) Write(pages);
  const auto on_disk = PagesOnDisk();
  for (const auto& [name, text] : pages) {
    const auto page = on_disk.find(name);
    EXPECT_TRUE(page != on_disk.end() && page->second == text)
        << "docs/rules/" << name << " is not what the rules say: run "
        << "scripts/rule-docs";
  }
  for (const auto& [name, text] : on_disk) {
    EXPECT_TRUE(pages.contains(name))
        << "docs/rules/" << name << " is of no rule: run scripts/rule-docs";
  }
}

TEST(RuleDocs, EveryFamilyHasATitle) {
  for (const Rule* rule : ListedRules()) {
    EXPECT_GT(FamilyTitle(rule->info.id).size(), 2u) << rule->info.id;
  }
}

constexpr RuleInfo kRule = {
    .id = "ZZ001",
    .name = "zig-zag",
    .set = RuleSet::kPreview,
    .fix = Applicability::kUnsafe,
    .changes_numerics = true,
    .summary = "a step_that zigs",
    .doc = R"(
What: it zigs
and zags.
Why: because.
Numbers: zigs times zags.
Sources: none.)",
    .thresholds = {{"min-share", 0.05, "share of the step"}},
};

TEST(RulePage, HasTheRulesTextThresholdsAndFix) {
  const std::string page = RulePage(kRule, {});
  EXPECT_THAT(page, HasSubstr("# ZZ001 zig-zag\n\na step\\_that zigs\n"));
  EXPECT_THAT(page, HasSubstr("- Set: preview: "));
  EXPECT_THAT(page, HasSubstr("- Fix: unsafe: "));
  EXPECT_THAT(page, HasSubstr("- The fix changes numerics"));
  EXPECT_THAT(page, HasSubstr("## What\n\nit zigs and zags.\n"));
  EXPECT_THAT(page, HasSubstr("## How the numbers are computed\n"));
  EXPECT_THAT(page, HasSubstr("| ZZ001.min-share | 0.05 | share of the step"));
  EXPECT_LT(page.find("## Thresholds"), page.find("## Sources"));
}

TEST(RulePage, ShowsBadExamplesBeforeGoodOnes) {
  const std::vector<RuleExample> examples = {{.file = "bad_a.py", .text = "x = 1", .bad = true},
                                             {.file = "bad_big.pb", .text = "", .bad = true},
                                             {.file = "good_b.graph", .text = "```\n"}};
  const std::string page = RulePage(kRule, examples);
  EXPECT_THAT(page, HasSubstr("`bad_a.py`\n\n```python\nx = 1\n```\n"));
  EXPECT_THAT(page, HasSubstr("`bad_big.pb` (not shown"));
  EXPECT_THAT(page, HasSubstr("````text\n```\n````\n"));
  EXPECT_LT(page.find("bad_a.py"), page.find("good_b.graph"));
  EXPECT_THAT(RulePage(kRule, {}), Not(HasSubstr("It speaks here")));
}

TEST(ThresholdValue, IsAsShortAsItReadsBack) {
  EXPECT_EQ(ThresholdValue(0.05), "0.05");
  EXPECT_EQ(ThresholdValue(1048576), "1048576");
  EXPECT_EQ(ThresholdValue(1.25), "1.25");
}

}  // namespace
}  // namespace tilewise
