// What globs mean, as a table.

#include <gtest/gtest.h>

#include "lint/config.h"
#include "lint/glob.h"

namespace tilewise {
namespace {

struct GlobCase {
  const char* glob;
  const char* name;
  bool matches;
};

TEST(Glob, MeansWhatShellsMean) {
  const GlobCase cases[] = {
      {"*.py", "train.py", true},
      {"*.py", "a/train.py", false},
      {"**/*.py", "a/b/train.py", true},
      {"**/*.py", "train.py", true},
      {"a/**/b", "a/b", true},
      {"a/**/b", "a/x/y/b", true},
      {"a/**/b", "ab", false},
      {"a/**", "a/x/y", true},
      {"t?st", "test", true},
      {"t?st", "t/st", false},
      {"[a-c]x", "bx", true},
      {"[!a-c]x", "bx", false},
      {"[!a-c]x", "dx", true},
      {"{a,b{c,d}}.py", "bd.py", true},
      {"{a,b}.py", "c.py", false},
      {"a\\*b", "a*b", true},
      {"a\\*b", "axb", false},
      {"[", "[", true},
      {"{a", "{a", true},
      {"", "", true},
      {"", "a", false},
      {"encoder/*", "encoder/dense", true},
      {"*", "anything", true},
  };
  for (const GlobCase& each : cases) {
    EXPECT_EQ(MatchesGlob(each.glob, each.name), each.matches) << each.glob << " and " << each.name;
  }
}

TEST(Glob, HostilePatternsAreFast) {
  std::string stars;
  for (int i = 0; i < 200; ++i) stars += "*a";
  EXPECT_FALSE(MatchesGlob(stars + "b", std::string(1000, 'a')));
  std::string braces;
  for (int i = 0; i < 60; ++i) braces += "{a,b}";
  EXPECT_FALSE(MatchesGlob(braces, "c"));
}

TEST(PathGlob, NamesMatchAtEveryDepthAndFoldersMeanAllInThem) {
  const std::string base = "/repo";
  const auto matches = [&](const char* glob, const char* file) {
    return MatchesPath({glob}, base, file);
  };
  EXPECT_TRUE(matches("tests", "/repo/a/tests/x.py"));
  EXPECT_TRUE(matches("tests/", "/repo/a/tests/x.py"));
  EXPECT_FALSE(matches("x.py/", "/repo/a/x.py"));
  EXPECT_TRUE(matches("*.onnx", "/repo/deep/m.onnx"));
  EXPECT_TRUE(matches("a/tests", "/repo/a/tests/x.py"));
  EXPECT_TRUE(matches("/repo/a", "/repo/a/x.py"));
  EXPECT_FALSE(matches("/a", "/repo/a/x.py"));
  EXPECT_TRUE(matches("./a/*.py", "/repo/a/x.py"));
  EXPECT_FALSE(matches("tests/**", "/repo/a/tests/x.py"));
  EXPECT_TRUE(matches("**/tests/**", "/repo/a/tests/x.py"));
  EXPECT_FALSE(matches("repo", "/repo/a/x.py"));
  EXPECT_FALSE(MatchesPath({}, base, "/repo/x.py"));
}

TEST(PathGlob, LettersOfItsFolderStandForThemselves) {
  EXPECT_TRUE(MatchesPath({"a/*.py"}, "/re[p]o*", "/re[p]o*/a/x.py"));
  EXPECT_FALSE(MatchesPath({"a/*.py"}, "/re[p]o*", "/repo/a/x.py"));
}

TEST(Glob, ManyBracesAndLettersAreBounded) {
  EXPECT_TRUE(MatchesGlob(std::string(8000, '{'), std::string(8000, '{')));
  std::string nested, choices;
  for (int i = 0; i < 2000; ++i) nested += "{a,";
  for (int i = 0; i < 1000; ++i) choices += "{a,b}";
  EXPECT_FALSE(MatchesGlob(nested + std::string(2000, '}'), "b"));
  EXPECT_TRUE(MatchesGlob(choices, std::string(1000, 'a')));
  EXPECT_FALSE(CheckGlob(std::string(8193, '*')).ok());
  EXPECT_FALSE(MatchesGlob(std::string(8193, '*'), "a"));
}

}  // namespace
}  // namespace tilewise
