// Lines, positions and columns of files; paths as other programs want them.

#include "report/file_lines.h"

#include <gtest/gtest.h>

namespace tilewise {
namespace {

const std::vector<SourceFile> kFiles = {{.path = "a.py", .text = "one\r\ntwo\n\nfour"},
                                        {.path = "b.ipynb", .text = "{}", .cells = {"x", "y\nz"}}};

std::string LineOf(const Location& location) {
  const FileLines lines(kFiles);
  return std::string(lines.Line(location).value_or("nothing"));
}

TEST(FileLines, FindsLinesWithoutTheirEnds) {
  EXPECT_EQ(LineOf({.file = "a.py", .line = 1}), "one");
  EXPECT_EQ(LineOf({.file = "a.py", .line = 3}), "");
  EXPECT_EQ(LineOf({.file = "a.py", .line = 4}), "four");
  EXPECT_EQ(LineOf({.file = "b.ipynb", .line = 2, .cell = 2}), "z");
}

TEST(FileLines, HasNothingForPlacesThatDoNotExist) {
  EXPECT_EQ(LineOf({.file = "a.py", .line = 5}), "nothing");
  EXPECT_EQ(LineOf({.file = "a.py"}), "nothing");
  EXPECT_EQ(LineOf({.file = "c.py", .line = 1}), "nothing");
  EXPECT_EQ(LineOf({.file = "b.ipynb", .line = 1, .cell = 3}), "nothing");
}

TEST(FileLines, FindsPositionsOfBytes) {
  const FileLines lines(kFiles);
  const auto two = lines.PositionOf("a.py", 0, 6);
  ASSERT_TRUE(two);
  EXPECT_EQ(two->line, 2);
  EXPECT_EQ(two->column, 2);
  const auto end = lines.PositionOf("a.py", 0, 14);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->line, 4);
  EXPECT_EQ(end->column, 5);
  EXPECT_FALSE(lines.PositionOf("a.py", 0, 15));
  EXPECT_FALSE(lines.PositionOf("a.py", 0, -1));
}

TEST(NotebookLines, AreThoseOfTheStringsOfCodeCells) {
  const std::string notebook = R"({
 "cells": [
  {"cell_type": "markdown", "source": ["# a\n", "b"]},
  {"cell_type": "code", "source": [
    "x = 'a\\n'\n",
    "y = 2\nz = ",
    "3"
  ]},
  {"outputs": [{"source": 1}], "cell_type": "code",
   "source": "one\ntwo\n"},
  {"cell_type": "code", "source": []}
 ]
})";
  const auto lines = NotebookLines(notebook);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], (std::vector<int64_t>{5, 6, 6}));
  EXPECT_EQ(lines[1], (std::vector<int64_t>{10, 10}));
  EXPECT_TRUE(lines[2].empty());
}

TEST(NotebookLines, SurviveWhatIsNoNotebook) {
  for (const std::string text :
       {"", "{", "[]", "{\"cells\": 1}", "{\"cells\": [", "{\"cells\": [1]}",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": 1}]}",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": \""}) {
    EXPECT_LE(NotebookLines(text).size(), 1u) << text;
  }
}

TEST(FileLines, FindsTheFilesLineOfACell) {
  const std::vector<SourceFile> files = {{.path = "b.ipynb",
                                          .text =
                                              "{\"cells\": [{\"cell_type\": \"code\",\n\"source\": "
                                              "[\"a\\n\",\n\"b\"]}]}",
                                          .cells = {"a\nb"}}};
  const FileLines lines(files);
  EXPECT_EQ(lines.LineInFile({.file = "b.ipynb", .line = 2, .cell = 1}), 3);
  EXPECT_EQ(lines.LineInFile({.file = "b.ipynb", .line = 3, .cell = 1}), 0);
  EXPECT_EQ(lines.LineInFile({.file = "b.ipynb", .line = 1, .cell = 2}), 0);
  EXPECT_EQ(lines.LineInFile({.file = "c.ipynb", .line = 1, .cell = 1}), 0);
  EXPECT_EQ(lines.LineInFile({.file = "c.py", .line = 7}), 7);
  EXPECT_EQ(lines.LineInFile({.file = "c.py"}), 0);
}

TEST(Utf16Column, CountsCodeUnits) {
  EXPECT_EQ(Utf16Column("abc", 3), 3);
  EXPECT_EQ(Utf16Column("\xC3\xA9x", 3), 2);
  EXPECT_EQ(Utf16Column("\xF0\x9F\x98\x80x", 5), 3);
  EXPECT_EQ(Utf16Column("ab", 99), 3);
  EXPECT_EQ(Utf16Column("", 1), 1);
}

TEST(ArtifactPath, IsRelativeToTheRootWhereItCanBe) {
  EXPECT_EQ(ArtifactPath("./a/../b.py", ""), "b.py");
  EXPECT_EQ(ArtifactPath("/src/a.py", "/src/"), "a.py");
  EXPECT_EQ(ArtifactPath("/src/a.py", "/src/b"), "/src/a.py");
  EXPECT_EQ(ArtifactPath("/srcs/a.py", "/src"), "/srcs/a.py");
  EXPECT_EQ(ArtifactPath("../a.py", "/src"), "../a.py");
}

TEST(ArtifactUri, EncodesAllButUnreservedCharacters) {
  EXPECT_EQ(ArtifactUri("my model (1)/\xC3\xA9#?.h5", ""), "my%20model%20%281%29/%C3%A9%23%3F.h5");
  EXPECT_EQ(ArtifactUri("/a b", ""), "file:///a%20b");
  EXPECT_EQ(ArtifactUri("100%.py", ""), "100%25.py");
}

}  // namespace
}  // namespace tilewise
