// What names of files and their text become where they leave the program.

#include "base/printable.h"

#include <gtest/gtest.h>

namespace tilewise {
namespace {

TEST(Printable, EscapesWhatDoesNotShow) {
  EXPECT_EQ(Printable("a\x1b[31m\n\tb\x7f"), "a\\x1b[31m\\x0a b\\x7f");
  EXPECT_EQ(Printable("\xC2\x9B"), "\\x9b");          // C1: CSI in one character
  EXPECT_EQ(Printable("\xE2\x80\xAEx"), "\\u202ex");  // right-to-left override
  EXPECT_EQ(Printable("\xE2\x81\xA6\xE2\x80\xA8"), "\\u2066\\u2028");
  EXPECT_EQ(Printable("\xFF\xC0\x80\xED\xA0\x80"), "\\xff\\xc0\\x80\\xed\\xa0\\x80");
  EXPECT_EQ(Printable("\xC3\xA9\xE6\x97\xA5 \xF0\x9F\x98\x80"),
            "\xC3\xA9\xE6\x97\xA5 \xF0\x9F\x98\x80");
}

TEST(Printable, StaysAsItIsTheSecondTime) {
  const std::string once = Printable("a\x1b\xC2\x9B\xFF");
  EXPECT_EQ(Printable(once), once);
}

TEST(PrintableLines, KeepsLinesAndColoursThatAreAskedFor) {
  EXPECT_EQ(PrintableLines("a\r\n\tb\rc\x1b[1m"), "a\r\n\tb\\x0dc\\x1b[1m");
  EXPECT_EQ(PrintableLines("\x1b[1;31mx\x1b[0m\x1b[2J", true), "\x1b[1;31mx\x1b[0m\\x1b[2J");
}

TEST(PrintableJson, WritesEscapesOfJson) {
  EXPECT_EQ(PrintableJson("{\"a\": \"\xC2\x85\xE2\x80\xAE\xF3\xA0\x81\x81\"}\n"),
            "{\"a\": \"\\u0085\\u202e\\udb40\\udc41\"}\n");
}

TEST(WithoutCommands, LeavesNoLineThatACiServerTakesForACommand) {
  EXPECT_EQ(WithoutCommands("::error::x\n  ::add\na::b\n##[group]\n# #["),
            "\\x3a:error::x\n  \\x3a:add\na::b\n\\x23#[group]\n# #[");
}

}  // namespace
}  // namespace tilewise
