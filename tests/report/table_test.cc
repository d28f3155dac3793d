// Alignment of the two printed forms.

#include <gtest/gtest.h>

#include "report/text.h"

namespace tilewise {
namespace {

Table Sample() {
  Table table({{"name", Align::kLeft}, {"n", Align::kRight}});
  table.AddRow({"a|b", "1"});
  table.AddRow({"\xC3\xA9", "200"});
  return table;
}

TEST(Table, AlignsColumnsByCharacters) {
  EXPECT_EQ(Sample().Text("  "),
            "  name    n\n"
            "  a|b     1\n"
            "  \xC3\xA9     200\n");
}

TEST(Table, EscapesPipesInMarkdown) {
  EXPECT_EQ(Sample().Markdown(),
            "| name | n |\n"
            "| --- | --: |\n"
            "| a\\|b | 1 |\n"
            "| \xC3\xA9 | 200 |\n");
}

TEST(Table, HasNoSpacesAtLineEnds) {
  Table table({{"name", Align::kLeft}, {"note", Align::kLeft}});
  table.AddRow({"long name", ""});
  EXPECT_EQ(table.Text(""), "name       note\nlong name\n");
}

}  // namespace
}  // namespace tilewise
