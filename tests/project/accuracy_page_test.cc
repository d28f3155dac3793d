// validation/RESULTS.md holds the tables that scripts/accuracy writes, all sets
// in the form of the command, and docs/accuracy.md quotes them rightly.

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/project/source_tree.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

constexpr char kHeader[] = "| set | rows | MAPE | median | bias | Spearman | memory | regret |";

// The sets that have a table: "name,kind,file,...".
std::vector<std::string> Sets() {
  std::vector<std::string> sets;
  std::istringstream text(ReadProjectFile("validation/sets.csv"));
  std::string line;
  std::getline(text, line);
  while (std::getline(text, line)) {
    std::istringstream row(line);
    std::string name, kind, file;
    std::getline(row, name, ',');
    std::getline(row, kind, ',');
    std::getline(row, file, ',');
    if (!file.empty()) sets.push_back(name);
  }
  return sets;
}

// What the results say of a set; empty when they do not know it.
std::string SectionOf(const std::string& set) {
  const std::string results = ReadProjectFile("validation/RESULTS.md");
  const size_t start = results.find("\n## " + set + "\n");
  if (start == std::string::npos) return "";
  return results.substr(start, results.find("\n## ", start + 1) - start);
}

// The cells of a set ("recipes") or of a kind of its rows ("recipes: moe").
std::vector<std::string> RowOf(const std::string& name) {
  const size_t colon = name.find(": ");
  const std::string row = colon == std::string::npos ? name : "- " + name.substr(colon + 2);
  std::istringstream section(SectionOf(name.substr(0, colon)));
  for (std::string line; std::getline(section, line);) {
    const std::vector<std::string> cells = TableCells(line);
    if (cells.size() > 2 && cells[0] == row) return cells;
  }
  return {};
}

TEST(AccuracyResults, HaveEverySetWithTheColumnsOfTheCommand) {
  EXPECT_GT(Sets().size(), 10u);
  for (const std::string& set : Sets()) {
    EXPECT_THAT(SectionOf(set), HasSubstr(kHeader)) << set;
  }
}

TEST(AccuracyPage, QuotesTheResults) {
  std::istringstream page(ReadProjectFile("docs/accuracy.md"));
  int quoted = 0;
  for (std::string line; std::getline(page, line);) {
    const std::vector<std::string> cells = TableCells(line);
    if (cells.size() != 7 || !cells[3].ends_with(" %")) continue;
    ++quoted;
    const std::vector<std::string> row = RowOf(cells[1]);
    ASSERT_FALSE(row.empty()) << line;
    EXPECT_EQ(cells[2], row[1]) << line;
    EXPECT_EQ(cells[3], row[2]) << line;
  }
  EXPECT_GT(quoted, 20);
}

TEST(AccuracyPage, NamesEverySet) {
  const std::string page = ReadProjectFile("docs/accuracy.md");
  for (const std::string& set : Sets()) {
    EXPECT_THAT(page, HasSubstr("| " + set)) << set;
  }
}

}  // namespace
}  // namespace tilewise
