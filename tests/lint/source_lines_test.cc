// Lines, statements and comments of texts.

#include "lint/source_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilewise {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Comments(std::string_view text, CommentStyle style) {
  std::vector<std::string> found;
  for (const SourceComment& comment : ScanSource(text, style).comments) {
    found.emplace_back(text.substr(comment.begin, comment.end - comment.begin));
  }
  return found;
}

TEST(SourceLines, PythonStringsHoldNoComments) {
  EXPECT_THAT(Comments("a = '# no'  # yes\n", CommentStyle::kPython), ElementsAre("# yes"));
  EXPECT_THAT(Comments("a = \"it's # no\"\nb = r'\\' # no'\n", CommentStyle::kPython), IsEmpty());
  EXPECT_THAT(Comments("'''\n# no\n''' # yes\n", CommentStyle::kPython), ElementsAre("# yes"));
  EXPECT_THAT(Comments("\"\"\"a\\\"\" # no\n\"\"\"  # yes", CommentStyle::kPython),
              ElementsAre("# yes"));
  EXPECT_THAT(Comments("a = 'x \\\n# no'  # yes\n", CommentStyle::kPython), ElementsAre("# yes"));
}

TEST(SourceLines, AStringWithoutEndEndsWithItsLine) {
  EXPECT_THAT(Comments("a = 'oops\nb = 1  # yes\n", CommentStyle::kPython), ElementsAre("# yes"));
}

TEST(SourceLines, NotebookCommandsHoldAnyQuotes) {
  EXPECT_THAT(Comments("!echo 'it\n%%time # no\na = 1 # yes\n", CommentStyle::kPython),
              ElementsAre("# yes"));
}

TEST(SourceLines, YamlAndTextproto) {
  EXPECT_THAT(Comments("a: it's # yes\nb: c#no\nd: '# no'\n# also\n", CommentStyle::kHash),
              ElementsAre("# yes", "# also"));
}

TEST(SourceLines, SlashesOfCpp) {
  EXPECT_THAT(
      Comments("a(\"http://no\"); // yes\n/* // no\n */ b; // also\r\n", CommentStyle::kSlash),
      ElementsAre("// yes", "// also"));
}

TEST(SourceLines, StatementsSpanBracketsAndBackslashes) {
  const SourceLines source = ScanSource(
      "ds = (ds\n      .map(\n        f)\n      .batch(8))\nx = 1 + \\\n"
      "  2\ny = 3\n",
      CommentStyle::kPython);
  EXPECT_EQ(source.lines[0].first, 1);
  EXPECT_EQ(source.lines[0].last, 4);
  EXPECT_EQ(source.lines[2].first, 1);
  EXPECT_EQ(source.lines[1].closes, 3);
  EXPECT_EQ(source.lines[4].last, 6);
  EXPECT_EQ(source.lines[6].first, 7);
  EXPECT_EQ(source.lines[6].last, 7);
}

TEST(SourceLines, AnyBytesEndInLines) {
  for (const std::string_view text : {"", "\n", "(", ")))", "'''", "\\", "'\\", "/*", "\"", "# "}) {
    for (const CommentStyle style :
         {CommentStyle::kPython, CommentStyle::kHash, CommentStyle::kSlash}) {
      EXPECT_GE(ScanSource(text, style).lines.size(), 1u) << text;
    }
  }
}

}  // namespace
}  // namespace tilewise
