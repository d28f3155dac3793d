// Changes of files end a wait; signals end the watching. Every wait is bounded:
// a timer asks to stop.

#include "lint/watch.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

class WatchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = Watcher::Make();
    if (!made.ok()) GTEST_SKIP() << made.status();
    watcher_.emplace(*std::move(made));
  }
  // What Wait() says when `act` happens meanwhile.
  bool WaitDuring(const std::function<void()>& act) {
    std::thread actor([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      act();
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      kill(getpid(), SIGTERM);  // blocked: only the watcher sees it
    });
    const bool changed = watcher_->Wait();
    actor.join();
    if (changed) {
      EXPECT_FALSE(watcher_->Wait());  // takes the signal
    }
    return changed;
  }
  TemporaryFolder folder_;
  std::optional<Watcher> watcher_;
};

TEST_F(WatchTest, SeesFilesWrittenReplacedAndRemoved) {
  ASSERT_TRUE(watcher_->Watch({.folders = {folder_.path("")}}).ok());
  EXPECT_TRUE(WaitDuring([&] { folder_.Write("a.py", "1"); }));
  EXPECT_TRUE(
      WaitDuring([&] { std::filesystem::rename(folder_.path("a.py"), folder_.path("b.py")); }));
  EXPECT_TRUE(WaitDuring([&] { std::filesystem::remove(folder_.path("b.py")); }));
}

TEST_F(WatchTest, EditorsFilesAndTheRunsOwnCountForNothing) {
  ASSERT_TRUE(
      watcher_->Watch({.folders = {folder_.path("")}, .ignored = {folder_.path("out.sarif")}})
          .ok());
  EXPECT_FALSE(WaitDuring([&] {
    folder_.Write(".a.py.swp", "1");
    folder_.Write("a.py~", "1");
    folder_.Write("out.sarif", "1");
  }));
  EXPECT_TRUE(WaitDuring([&] { folder_.Write(".tilewise.yaml", "1"); }));
}

TEST_F(WatchTest, FoldersThatAreNoLongerWatchedAreSilent) {
  const TemporaryFolder other;
  ASSERT_TRUE(watcher_->Watch({.folders = {folder_.path("")}}).ok());
  ASSERT_TRUE(watcher_->Watch({.folders = {other.path(""), "/nowhere"}}).ok());
  EXPECT_FALSE(WaitDuring([&] { folder_.Write("a.py", "1"); }));
  EXPECT_TRUE(WaitDuring([&] { other.Write("a.py", "1"); }));
}

}  // namespace
}  // namespace tilewise
