// Edits of cells; what is not edited keeps its bytes.

#include "edit/notebook.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tilewise {
namespace {

using ::testing::HasSubstr;

TextEdit Edit(int32_t cell, int64_t begin, int64_t end, std::string text) {
  return {.span = {"book.ipynb", cell, begin, end}, .replacement = std::move(text)};
}

std::string Edited(const std::string& bytes, std::vector<TextEdit> edits) {
  const auto result = EditNotebook(bytes, std::move(edits));
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *result : "";
}

// Odd spacing and escapes on purpose.
constexpr char kBook[] = R"json({
  "cells" : [
   {"cell_type": "markdown", "source": ["# T\u00eft\/le"], "metadata":{}},
   {"cell_type": "code", "metadata": {}, "execution_count": null,
    "source": [
     "import tensorflow as tf\n",
     "name = \"\u00e9t\u00e9\"\n",
     "ds = ds.prefetch(2)\n",
     "ds = ds.batch(8)"
    ], "outputs": [ ]},
   {"cell_type":"code","source":"a = 1\nb = \"x\"\n","outputs":[]}
  ],
 "metadata": {"k": 1e3},
	"nbformat": 4, "nbformat_minor": 5
}
)json";

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string CellOf(const std::string& bytes, size_t index) {
  const nlohmann::json book = nlohmann::json::parse(bytes);
  const nlohmann::json& source = book["cells"][index]["source"];
  if (source.is_string()) return source.get<std::string>();
  std::string text;
  for (const auto& line : source) text += line.get<std::string>();
  return text;
}

TEST(EditNotebook, ChangesTheEditedLineAlone) {
  const std::string cell = CellOf(kBook, 1);
  const auto at = static_cast<int64_t>(cell.find("prefetch(2)"));
  EXPECT_EQ(Edited(kBook, {Edit(1, at, at + 11, "prefetch(4)")}),
            Replaced(kBook, "prefetch(2)", "prefetch(4)"));
}

TEST(EditNotebook, KeepsEscapesInAnEditedLine) {
  const std::string cell = CellOf(kBook, 1);
  const auto at = static_cast<int64_t>(cell.find("name"));
  EXPECT_EQ(Edited(kBook, {Edit(1, at, at + 4, "title")}),
            Replaced(kBook, "\"name = ", "\"title = "));
}

TEST(EditNotebook, NewLinesGetLiteralsOfTheirOwn) {
  const std::string cell = CellOf(kBook, 1);
  const auto at = static_cast<int64_t>(cell.find("ds = ds.prefetch"));
  EXPECT_EQ(Edited(kBook, {Edit(1, at, at, "x = \"y\"\n")}),
            Replaced(kBook, "     \"ds = ds.prefetch(2)\\n\",",
                     "     \"x = \\\"y\\\"\\n\",\n"
                     "     \"ds = ds.prefetch(2)\\n\","));
  const auto end = static_cast<int64_t>(cell.size());
  EXPECT_EQ(Edited(kBook, {Edit(1, end, end, "\nlast()")}),
            Replaced(kBook, "\"ds = ds.batch(8)\"", "\"ds = ds.batch(8)\\n\",\n     \"last()\""));
}

TEST(EditNotebook, RemovedLinesTakeTheirCommaAlong) {
  const std::string cell = CellOf(kBook, 1);
  const auto at = static_cast<int64_t>(cell.find("ds = ds.prefetch"));
  const auto next = static_cast<int64_t>(cell.find("ds = ds.batch"));
  EXPECT_EQ(Edited(kBook, {Edit(1, at, next, "")}),
            Replaced(kBook, "     \"ds = ds.prefetch(2)\\n\",\n", ""));
  const auto end = static_cast<int64_t>(cell.size());
  EXPECT_EQ(Edited(kBook, {Edit(1, next, end, "")}),
            Replaced(kBook, ",\n     \"ds = ds.batch(8)\"", ""));
}

TEST(EditNotebook, MovesBetweenLines) {
  const std::string cell = CellOf(kBook, 1);
  const auto call = static_cast<int64_t>(cell.find(".prefetch(2)"));
  const auto end = static_cast<int64_t>(cell.size());
  const std::string result =
      Edited(kBook, {Edit(1, call, call + 12, ""), Edit(1, end, end, ".prefetch(2)")});
  EXPECT_THAT(result, HasSubstr("\"ds = ds\\n\",\n     \"ds = ds.batch(8)"
                                ".prefetch(2)\""));
}

TEST(EditNotebook, SourceOfOneStringStaysOne) {
  const std::string cell = CellOf(kBook, 2);
  const auto at = static_cast<int64_t>(cell.find("b ="));
  EXPECT_EQ(Edited(kBook, {Edit(2, at, at + 1, "c\t")}), Replaced(kBook, "\\nb = ", "\\nc\\t = "));
}

TEST(EditNotebook, ALineThatLostItsEndGoesOnInTheNext) {
  const std::string cell = CellOf(kBook, 1);
  const auto feed = static_cast<int64_t>(cell.find("\nds = ds.batch"));
  const std::string result = Edited(kBook, {Edit(1, feed, feed + 1, "; ")});
  EXPECT_EQ(CellOf(result, 1), Replaced(cell, "\nds = ds.batch", "; ds = ds.batch"));
  EXPECT_THAT(result, HasSubstr("\"ds = ds.prefetch(2); ds = ds.batch(8)\""));
}

TEST(EditNotebook, AnyEditGivesTheTextItShould) {
  const std::string cell = CellOf(kBook, 1);
  const auto size = static_cast<int64_t>(cell.size());
  for (int64_t begin = 0; begin <= size; begin += 3) {
    for (int64_t end = begin; end <= size; end += 7) {
      // Not inside of a character of two bytes.
      const auto inside = [&](int64_t at) {
        return at < size && (static_cast<unsigned char>(cell[at]) & 0xC0) == 0x80;
      };
      if (inside(begin) || inside(end)) continue;
      for (const std::string text : {"", "x", "\n", "a\nb\n"}) {
        std::string expected = cell;
        expected.replace(begin, end - begin, text);
        const std::string result = Edited(kBook, {Edit(1, begin, end, text)});
        ASSERT_EQ(CellOf(result, 1), expected) << begin << " " << end;
        EXPECT_EQ(CellOf(result, 2), CellOf(kBook, 2));
        EXPECT_THAT(result, HasSubstr("# T\\u00eft\\/le"));
      }
    }
  }
}

TEST(EditNotebook, ByteOrderMarkStays) {
  const std::string marked = std::string("\xEF\xBB\xBF") + kBook;
  EXPECT_EQ(Edited(marked, {Edit(2, 0, 1, "z")}), Replaced(marked, "\"a = 1", "\"z = 1"));
}

TEST(EditNotebook, PlacesThatAreNotThereAreErrors) {
  EXPECT_FALSE(EditNotebook(kBook, {Edit(3, 0, 0, "x")}).ok());
  EXPECT_FALSE(EditNotebook(kBook, {Edit(2, 0, 900, "x")}).ok());
  EXPECT_FALSE(EditNotebook("{}", {Edit(1, 0, 0, "x")}).ok());
  EXPECT_FALSE(EditNotebook("[[[[", {Edit(1, 0, 0, "x")}).ok());
}

}  // namespace
}  // namespace tilewise
