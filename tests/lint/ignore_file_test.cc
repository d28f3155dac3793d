// Patterns against paths, by gitignore(5); and the same against git itself.

#include "lint/ignore_file.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "lint/glob.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

struct Case {
  const char* text;  // of the file
  const char* path;  // a folder when it ends in "/"
  bool ignored;
};

constexpr Case kCases[] = {
    {"*.log", "a.log", true},
    {"*.log", "deep/er/a.log", true},
    {"*.log", "a.logs", false},
    {"/a.py", "a.py", true},
    {"/a.py", "sub/a.py", false},
    {"sub/a.py", "sub/a.py", true},
    {"sub/a.py", "x/sub/a.py", false},
    {"build/", "build/", true},
    {"build/", "x/build/", true},
    {"build/", "build", false},
    {"**/foo", "foo", true},
    {"**/foo", "a/b/foo", true},
    {"foo/**", "foo/", false},
    {"foo/**", "foo/a/b", true},
    {"a/**/b", "a/b", true},
    {"a/**/b", "a/x/y/b", true},
    {"a/**/b", "a/xb", false},
    {"*.py\n!keep.py", "keep.py", false},
    {"*.py\n!keep.py", "other.py", true},
    {"!keep.py\n*.py", "keep.py", true},
    {"# comment\n\n*.a", "x.a", true},
    {"\\#odd", "#odd", true},
    {"\\!odd", "!odd", true},
    {"name   ", "name", true},
    {"name\\ ", "name ", true},
    {"name\r\n", "name", true},
    {"?.py", "a.py", true},
    {"?.py", "ab.py", false},
    {"[a-c].py", "b.py", true},
    {"[!a-c].py", "b.py", false},
    {"[^a-c].py", "d.py", true},
    {"[]x].py", "].py", true},
    {"[[:digit:]].py", "7.py", true},
    {"[[:digit:]].py", "x.py", false},
    {"[a.py", "[a.py", false},
    {"a*c*e", "abcde", true},
    {"a*c*e", "abcdf", false},
    {"*/x.py", "a/x.py", true},
    {"*/x.py", "a/b/x.py", false},
    {"a\\*b", "a*b", true},
    {"a\\*b", "axb", false},
    {"doc/*.txt", "doc/sub/a.txt", false},
    {"/", "a", false},
    {"/*\n!/src/", "src/", false},
    {"/*\n!/src/", "other/", true},
};

bool Ignored(const Case& test) {
  IgnoreStack stack;
  stack.Push("", test.text);
  std::string path = test.path;
  const bool folder = path.ends_with('/');
  if (folder) path.pop_back();
  return stack.Ignores(path, folder);
}

TEST(IgnoreFile, PatternsMeanWhatGitMeans) {
  for (const Case& test : kCases) {
    EXPECT_EQ(Ignored(test), test.ignored) << "'" << test.text << "' and '" << test.path << "'";
  }
}

// What git says of the same cases, where there is a git.
TEST(IgnoreFile, CasesAreTrueOfGit) {
  if (std::system("command -v git >/dev/null") != 0) GTEST_SKIP() << "no git";
  for (const Case& test : kCases) {
    const TemporaryFolder folder;
    const std::string root = folder.path("");
    folder.Write(".gitignore", test.text);
    std::string path = test.path;
    if (path.ends_with('/')) {
      std::filesystem::create_directories(folder.path(path));
      path.pop_back();
    } else {
      std::filesystem::create_directories(std::filesystem::path(folder.path(path)).parent_path());
      folder.Write(path, "x");
    }
    folder.Write("asked", path + "\n");
    const std::string command = "cd '" + root +
                                "' && git init -q . >/dev/null 2>&1 && "
                                "GIT_CONFIG_GLOBAL=/dev/null git check-ignore -q --stdin < asked";
    const bool ignored = std::system(command.c_str()) == 0;
    EXPECT_EQ(ignored, test.ignored) << "'" << test.text << "' and '" << test.path << "'";
  }
}

TEST(IgnoreStack, InnerFilesHaveTheLastWord) {
  IgnoreStack stack;
  stack.Push("", "*.py\n/top.txt\n");
  stack.Push("sub", "!special.py\ntop.txt\n");
  EXPECT_TRUE(stack.Ignores("sub/a.py", false));
  EXPECT_FALSE(stack.Ignores("sub/special.py", false));
  EXPECT_TRUE(stack.Ignores("sub/deeper/top.txt", false));
  stack.Pop();
  EXPECT_TRUE(stack.Ignores("sub/special.py", false));
  EXPECT_FALSE(stack.Ignores("sub/top.txt", false));
}

TEST(MatchesGitGlob, IsQuickOnManyStars) {
  const std::string glob = "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b";
  const std::string path(3000, 'a');
  EXPECT_FALSE(MatchesGitGlob(glob, path));
  std::string deep, deep_glob;
  for (int i = 0; i < 200; ++i) {
    deep += "a/";
    deep_glob += "**/a/";
  }
  EXPECT_FALSE(MatchesGitGlob(deep_glob + "b", deep + "a"));
}

}  // namespace
}  // namespace tilewise
