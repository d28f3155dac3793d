// Paths that are not there and files that are no files.

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/paths.h"
#include "base/read_file.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

TEST(Paths, AnEmptyPathStaysOne) {
  EXPECT_EQ(AbsolutePath(""), fs::path());
  EXPECT_EQ(RealPath("/a/./b/../c"), fs::path("/a/c"));
}

TEST(Paths, ALinkLiesWhereItLeads) {
  const TemporaryFolder folder;
  folder.Write("real.py", "");
  fs::create_directory(folder.path("in"));
  fs::create_symlink("../real.py", folder.path("in/link.py"));
  EXPECT_TRUE(LiesIn(folder.path(""), folder.path("in/link.py")));
  EXPECT_FALSE(LiesIn(folder.path("in"), folder.path("in/link.py")));
  EXPECT_TRUE(LiesIn(folder.path("in"), folder.path("in")));
  EXPECT_FALSE(LiesIn(folder.path("in"), folder.path("inner")));
}

TEST(ReadRegularFile, ReadsNothingElse) {
  const TemporaryFolder folder;
  EXPECT_EQ(ReadRegularFile(folder.Write("a", "text"), 4).value_or("?"), "text");
  EXPECT_EQ(ReadRegularFile(folder.Write("b", ""), 4).value_or("?"), "");
  EXPECT_TRUE(absl::IsInvalidArgument(ReadRegularFile(folder.Write("c", "12345"), 4).status()));
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  for (const std::string& path : {folder.path("pipe"), folder.path("gone"), folder.path(""),
                                  std::string("/dev/zero"), std::string()}) {
    EXPECT_TRUE(absl::IsNotFound(ReadRegularFile(path, 4).status())) << path;
  }
}

}  // namespace
}  // namespace tilewise
