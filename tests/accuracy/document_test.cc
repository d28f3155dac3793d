// docs/accuracy.md holds the tables that scripts/accuracy writes: all sets, in
// the form of the command. The figures themselves are made anew by the script.

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accuracy/published.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

constexpr char kStart[] = "<!-- tables: scripts/accuracy -->";
constexpr char kEnd[] = "<!-- end of tables -->";
constexpr char kHeader[] =
    "| set | rows | MAPE | median | bias | Spearman | memory | regret |";

std::string Tables() {
  std::ifstream file(TILEWISE_SOURCE_DIR "/docs/accuracy.md");
  std::ostringstream text;
  text << file.rdbuf();
  const std::string all = text.str();
  const size_t start = all.find(kStart);
  const size_t end = all.find(kEnd);
  if (start == std::string::npos || end == std::string::npos) return "";
  return all.substr(start, end - start);
}

TEST(AccuracyDocument, HasEverySetWithTheColumnsOfTheCommand) {
  const std::string tables = Tables();
  for (const SetDefaults& set : PublishedSets()) {
    if (set.file.empty()) continue;
    const size_t at = tables.find("### " + set.name + "\n");
    ASSERT_NE(at, std::string::npos) << set.name;
    EXPECT_THAT(tables.substr(at, tables.find("\n### ", at) - at),
                HasSubstr(kHeader))
        << set.name;
  }
}

}  // namespace
}  // namespace tilewise
