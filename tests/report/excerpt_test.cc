// Excerpts from long lines, notebooks and places that do not exist.

#include <gtest/gtest.h>

#include "report/file_lines.h"

namespace tilewise {
namespace {

TEST(FindExcerpt, CutsALongLineAroundTheCaret) {
  const std::string line = std::string(5000, 'a') + "X" + std::string(5000, 'b');
  const std::vector<SourceFile> files = {{.path = "m.json", .text = line}};
  const auto excerpt = FindExcerpt(files, {.file = "m.json", .line = 1, .column = 5001}, 80);
  ASSERT_TRUE(excerpt);
  EXPECT_EQ(excerpt->text.size(), 80u);
  EXPECT_EQ(excerpt->text[excerpt->caret], 'X');
}

TEST(FindExcerpt, CountsCharactersBeforeTheCaret) {
  const std::vector<SourceFile> files = {{.path = "a.py", .text = "\xC3\xA9\xC3\xA9 = f()"}};
  const auto excerpt = FindExcerpt(files, {.file = "a.py", .line = 1, .column = 8}, 80);
  ASSERT_TRUE(excerpt);
  EXPECT_EQ(excerpt->caret, 5);
}

TEST(FindExcerpt, ReadsNotebookLinesInsideTheirCell) {
  const std::vector<SourceFile> files = {
      {.path = "b.ipynb", .text = "{", .cells = {"one", "two\nthree"}}};
  const auto excerpt = FindExcerpt(files, {.file = "b.ipynb", .line = 2, .cell = 2}, 80);
  ASSERT_TRUE(excerpt);
  EXPECT_EQ(excerpt->text, "three");
  EXPECT_EQ(excerpt->caret, -1);
}

TEST(FindExcerpt, HasNothingForPlacesThatDoNotExist) {
  const std::vector<SourceFile> files = {{.path = "a.py", .text = "x = 1\n"}};
  EXPECT_FALSE(FindExcerpt(files, {.file = "a.py", .line = 9}, 80));
  EXPECT_FALSE(FindExcerpt(files, {.file = "a.py"}, 80));
  EXPECT_FALSE(FindExcerpt(files, {.file = "b.py", .line = 1}, 80));
  EXPECT_FALSE(FindExcerpt(files, {.file = "a.py", .line = 1, .cell = 3}, 80));
  // A column beyond the line has no caret.
  const auto beyond = FindExcerpt(files, {.file = "a.py", .line = 1, .column = 99}, 80);
  ASSERT_TRUE(beyond);
  EXPECT_EQ(beyond->caret, -1);
}

}  // namespace
}  // namespace tilewise
