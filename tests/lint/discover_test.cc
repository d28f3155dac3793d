// Folders in, the files of the walk out.

#include "lint/discover.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class DiscoverTest : public ::testing::Test {
 protected:
  void Write(const std::string& name, const std::string& text = "x") {
    fs::create_directories(fs::path(folder_.path(name)).parent_path());
    folder_.Write(name, text);
  }
  // Relative to the folder.
  std::vector<std::string> Files(const std::string& folder = "") {
    const std::string root = folder_.path(folder);
    std::vector<std::string> files;
    for (const std::string& file : Discover(root, options_).files) {
      files.push_back(fs::path(file).lexically_relative(folder_.path("")).string());
    }
    return files;
  }
  TemporaryFolder folder_;
  DiscoverOptions options_;
};

TEST_F(DiscoverTest, FindsFilesInOrderAndPassesOverHiddenOnesAndTools) {
  Write("b.py");
  Write("a/z.py");
  Write("a.py");
  Write(".hidden.py");
  Write(".venv/lib.py");
  Write("node_modules/x.json");
  Write("env/pyvenv.cfg");
  Write("env/lib/x.py");
  Write("__pycache__/a.pyc");
  EXPECT_THAT(Files(), ElementsAre("a.py", "a/z.py", "b.py"));
}

TEST_F(DiscoverTest, RespectsIgnoreFilesAtEveryLevel) {
  Write(".git/info/exclude", "secret.py\n");
  Write(".gitignore", "/out/\n*.tmp.py\n");
  Write("out/a.py");
  Write("sub/out/a.py");
  Write("sub/.gitignore", "b.py\n!c.tmp.py\n");
  Write("sub/b.py");
  Write("sub/c.tmp.py");
  Write("d.tmp.py");
  Write("secret.py");
  EXPECT_THAT(Files(), ElementsAre("sub/c.tmp.py", "sub/out/a.py"));
  // A walk that begins below sees the same.
  EXPECT_THAT(Files("sub"), ElementsAre("sub/c.tmp.py", "sub/out/a.py"));
  options_.respect_ignore_files = false;
  EXPECT_THAT(Files(), SizeIs(6));
}

TEST_F(DiscoverTest, WhatIsInAnIgnoredFolderCannotBeTakenBack) {
  Write(".gitignore", "data/\n!data/keep.py\n");
  Write("data/keep.py");
  EXPECT_THAT(Files(), IsEmpty());
}

TEST_F(DiscoverTest, LoopsOfLinksEnd) {
  Write("a/b/c.py");
  fs::create_directory_symlink(folder_.path("a"), folder_.path("a/b/loop"));
  fs::create_directory_symlink(folder_.path("a"), folder_.path("twin"));
  fs::create_symlink(folder_.path("nowhere.py"), folder_.path("dead.py"));
  EXPECT_THAT(Files(), ElementsAre("a/b/c.py"));
}

TEST_F(DiscoverTest, ProgramFoldersAndExcludedOnesAreNotEntered) {
  Write("saved/saved_model.pb");
  Write("saved/variables/v.json");
  Write("old/a.py");
  Write("new/a.py");
  options_.is_program = [](const std::string& folder) { return folder.ends_with("saved"); };
  options_.excluded = [](const std::string& path) { return path.ends_with("/old"); };
  EXPECT_THAT(Files(), ElementsAre("new/a.py", "saved"));
}

TEST_F(DiscoverTest, UnknownFilesAreSilent) {
  Write("a.py");
  Write("a.jpg");
  options_.is_known = [](const std::string& file) { return file.ends_with(".py"); };
  const Discovered found = Discover(folder_.path(""), options_);
  EXPECT_THAT(found.files, SizeIs(1));
  EXPECT_THAT(found.unreadable, IsEmpty());
}

}  // namespace
}  // namespace tilewise
