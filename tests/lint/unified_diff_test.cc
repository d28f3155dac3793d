// Two texts in, the diff out; and `patch` turns one into the other.

#include "lint/unified_diff.h"

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

using ::testing::StartsWith;

TEST(UnifiedDiff, ShowsThreeLinesAroundAChange) {
  EXPECT_EQ(UnifiedDiff("a.py", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "--- a/a.py\n+++ b/a.py\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n "
            "6\n 7\n 8\n");
}

TEST(UnifiedDiff, EqualTextsHaveNone) { EXPECT_EQ(UnifiedDiff("a.py", "x\n", "x\n"), ""); }

TEST(UnifiedDiff, SaysWhereALineFeedIsMissing) {
  EXPECT_EQ(UnifiedDiff("a.py", "x", "y\n"),
            "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n\\ No newline at end of "
            "file\n+y\n");
}

TEST(UnifiedDiff, EmptySidesCountFromZero) {
  EXPECT_EQ(UnifiedDiff("/a", "", "x\n"), "--- /a\n+++ /a\n@@ -0,0 +1 @@\n+x\n");
}

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(UnifiedDiff, PatchAppliesIt) {
  if (std::system("command -v patch >/dev/null") != 0) {
    GTEST_SKIP() << "no patch(1)";
  }
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    std::string before, after;
    for (int line = 0; line < 30; ++line) {
      const std::string text = std::to_string(random() % 5) + "\n";
      const auto what = random() % 8;
      if (what != 0) before += text;
      if (what != 1) after += what == 2 ? "new\n" : text;
    }
    if (round % 3 == 0 && !after.empty()) after.pop_back();
    const TemporaryFolder folder;
    folder.Write("f.py", before);
    folder.Write("d.diff", UnifiedDiff("f.py", before, after));
    const std::string command =
        "cd '" + folder.path("") + "' && patch -s -p1 < d.diff >/dev/null 2>&1";
    if (before != after) {
      ASSERT_EQ(std::system(command.c_str()), 0) << round;
    }
    EXPECT_EQ(ReadFile(folder.path("f.py")), after) << round;
  }
}

TEST(UnifiedDiff, TextsWithNothingInCommonAreReplaced) {
  std::string before, after;
  for (int i = 0; i < 3000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  EXPECT_THAT(UnifiedDiff("x", before, after),
              StartsWith("--- a/x\n+++ b/x\n@@ -1,3000 +1,3000 @@\n-a0\n"));
}

TEST(UnifiedDiff, ANameStaysInItsLine) {
  EXPECT_THAT(UnifiedDiff("a\n::error::b", "x\n", "y\n"),
              testing::StartsWith("--- a/a\\x0a::error::b\n+++ b/a\\x0a::error::b\n"));
}

}  // namespace
}  // namespace tilewise
