// clang-tidy's comments, as far as they name checks of tilewise.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/suppression_comment.h"

namespace tilewise {
namespace {

std::vector<std::string> WordsOf(std::string_view comment) {
  const auto found = ParseSuppressionComment(comment, 0);
  std::vector<std::string> words;
  if (!found) return words;
  for (const CommentWord& word : found->words) words.push_back(word.text);
  return words;
}

TEST(Nolint, NamesRulesByTheirChecks) {
  EXPECT_THAT(WordsOf("// NOLINT(tilewise-al005)"), testing::ElementsAre("AL005"));
  EXPECT_THAT(WordsOf("// NOLINTNEXTLINE(google-x, tilewise-compile-in-loop,tilewise-*): why"),
              testing::ElementsAre("compile-in-loop", "ALL"));
}

TEST(Nolint, OfOtherChecksIsNotOurs) {
  EXPECT_FALSE(ParseSuppressionComment("// NOLINT(google-explicit-constructor)", 0));
  EXPECT_FALSE(ParseSuppressionComment("// NOLINT", 0));
  EXPECT_FALSE(ParseSuppressionComment("# NOLINT(tilewise-al005)", 0));
}

TEST(Nolint, IsFoundInATextWithoutOtherMarkers) {
  const auto found = FindSuppressionComments("int a;\nf(a);  // NOLINT(tilewise-hl006)\n",
                                             CommentStyle::kSlash, "a.cc", 0);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].Covers(2));
  EXPECT_FALSE(found[0].Covers(1));
}

}  // namespace
}  // namespace tilewise
