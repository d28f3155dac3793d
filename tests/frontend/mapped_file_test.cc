// Bytes of files, pipes and what is neither.

#include "frontend/mapped_file.h"

#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

TEST(MappedFile, HasTheBytesOfAFile) {
  const TemporaryFolder folder;
  const auto file = MappedFile::Open(folder.Write("a", std::string("x\0y", 3)));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->bytes(), std::string_view("x\0y", 3));
}

TEST(MappedFile, StaysGoodWhenItIsMoved) {
  const TemporaryFolder folder;
  auto file = MappedFile::Open(folder.Write("a", "hello"));
  ASSERT_TRUE(file.ok());
  const MappedFile moved = *std::move(file);
  EXPECT_EQ(moved.bytes(), "hello");
}

TEST(MappedFile, ReadsAPipeToItsEnd) {
  const TemporaryFolder folder;
  const std::string path = folder.path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] {
    const int pipe = open(path.c_str(), O_WRONLY);
    const std::string text(100'000, 'p');
    EXPECT_EQ(write(pipe, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    close(pipe);
  });
  const auto file = MappedFile::Open(path);
  writer.join();
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->bytes(), std::string(100'000, 'p'));
}

TEST(MappedFile, APipeThatNobodyWritesToIsEmpty) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("a", "") + ".pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const auto file = MappedFile::Open(path);
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(file->bytes().empty());
}

TEST(MappedFile, EmptyFilesHaveNoBytes) {
  const TemporaryFolder folder;
  const auto file = MappedFile::Open(folder.Write("a", ""));
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(file->bytes().empty());
}

TEST(MappedFile, EndlessDevicesAreCutOff) {
  const auto file = MappedFile::Open("/dev/zero");
  EXPECT_THAT(Message(file.status()), HasSubstr("more than 256 MiB"));
}

TEST(MappedFile, SaysWhatCannotBeOpened) {
  EXPECT_THAT(Message(MappedFile::Open("/no/such").status()), HasSubstr("/no/such: no such file"));
  EXPECT_THAT(Message(MappedFile::Open("/").status()),
              HasSubstr("/: found a directory, expected a file"));
}

}  // namespace
}  // namespace tilewise
