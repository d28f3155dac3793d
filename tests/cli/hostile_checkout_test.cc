// What a checkout that a stranger made may have a run read, write and print.

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kScript[] =
    "import tensorflow as tf\n"
    "ds = tf.data.Dataset.range(100000).map(f).prefetch(2).batch(10)\n";

class HostileCheckout : public ::testing::Test {
 protected:
  HostileCheckout() {
    fs::create_directories(folder_.path("repo/.git"));
    Write("repo/train.py", kScript);
    Write("victim", "mine");
  }
  std::string Write(const std::string& name, std::string_view text) {
    return folder_.Write(name, text);
  }
  std::string Read(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(folder_.path(name), std::ios::binary).rdbuf();
    return text.str();
  }
  RunResult Run(const std::string& arguments, const std::string& before = "") {
    return RunTilewise(arguments, before + " cd '" + folder_.path("repo") + "' &&");
  }
  TemporaryFolder folder_;
};

TEST_F(HostileCheckout, ItsConfigurationWritesNoReport) {
  Write("repo/.tilewise.yaml", "output: train.py\nfix: true\n");
  const RunResult run = Run("lint train.py");
  EXPECT_EQ(Read("repo/train.py"), kScript);
  EXPECT_THAT(run.out, HasSubstr("IP002"));
  EXPECT_THAT(run.err, HasSubstr(".tilewise.yaml:1:9: found 'output'"));
  EXPECT_THAT(run.err, HasSubstr("found 'fix'"));
}

TEST_F(HostileCheckout, TheUsersOwnConfigurationWrites) {
  const std::string own = Write("own.yaml", "output: report.txt\n");
  Run("lint train.py --config " + own);
  EXPECT_THAT(Read("report.txt"), HasSubstr("IP002"));
}

TEST_F(HostileCheckout, ItsConfigurationNamesNothingOutside) {
  for (const std::string line :
       {"cache-dir: ../used", "baseline: ../known.json", "extends: ../other.yaml",
        "chip: ../c.txtpb", "python-path: [..]", "workloads: [{files: [../victim]}]"}) {
    Write("repo/.tilewise.yaml", line + "\n");
    const RunResult run = Run("lint train.py");
    EXPECT_EQ(run.exit_code, 2) << line;
    EXPECT_THAT(run.err, HasSubstr("out of the checkout")) << line;
  }
  fs::remove(folder_.path("repo/.tilewise.yaml"));
  Write("secret.yaml", "password: x\n");
  fs::create_symlink("../secret.yaml", folder_.path("repo/.tilewise.yaml"));
  EXPECT_THAT(Run("lint train.py").err, Not(HasSubstr("password")));
}

TEST_F(HostileCheckout, AFolderInUseIsNoCache) {
  fs::create_directory(folder_.path("used"));
  Write("used/.gitignore", "x\n");
  fs::create_directory_symlink("../used", folder_.path("repo/.tilewise_cache"));
  Run("lint train.py");
  const RunResult named = Run("lint train.py --cache-dir ../used");
  EXPECT_THAT(named.err, HasSubstr("nothing is kept"));
  EXPECT_EQ(Read("used/.gitignore"), "x\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path("used")), {}), 1);
}

TEST_F(HostileCheckout, FixesComeFromTheFilesAndNotFromTheCache) {
  Run("lint train.py");
  for (const auto& entry : fs::directory_iterator(folder_.path("repo/.tilewise_cache"))) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = "repo/.tilewise_cache/" + entry.path().filename().string();
    std::string text = Read(name);
    text.replace(text.rfind("prefetch"), 8, "evilcode");
    Write(name, text);
  }
  Run("lint train.py --fix --unsafe-fixes");
  EXPECT_THAT(Read("repo/train.py"), Not(HasSubstr("evilcode")));
}

TEST_F(HostileCheckout, LinksOutOfItAreNeitherWalkedNorFixed) {
  Write("mine.py", kScript);
  fs::create_symlink("../mine.py", folder_.path("repo/link.py"));
  EXPECT_THAT(Run("lint . --show-files").out, Not(HasSubstr("link.py")));
  const RunResult run = Run("lint link.py --fix --unsafe-fixes");
  EXPECT_THAT(run.err, HasSubstr("found a link to"));
  EXPECT_EQ(Read("mine.py"), kScript);
}

TEST_F(HostileCheckout, ABaselineReplacesFilesOnly) {
  const std::string pipe = folder_.path("repo/pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(Run("lint train.py --write-baseline pipe").exit_code, 2);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(HostileCheckout, ALimitThatEndsAFixLeavesNothingBehind) {
  Write("repo/long.py", kScript + std::string(4096, '#') + "\n");
  const RunResult run = Run("lint long.py --no-cache --fix --unsafe-fixes", "ulimit -f 1;");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("cannot write long.py"));
  // .git, train.py and long.py.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path("repo")), {}), 3);
}

TEST_F(HostileCheckout, AFixKeepsHardLinks) {
  fs::create_hard_link(folder_.path("repo/train.py"), folder_.path("repo/same.py"));
  Run("lint train.py --no-cache --fix --unsafe-fixes");
  EXPECT_EQ(Read("repo/train.py"), Read("repo/same.py"));
  EXPECT_NE(Read("repo/train.py"), kScript);
}

TEST_F(HostileCheckout, NamesOfFilesAreNoCommands) {
  Write("repo/a\n::error::x\x1b.py", kScript);
  for (const std::string format : {"github", "text", "concise", "gcc", "sarif", "junit"}) {
    const RunResult run = Run("lint . --no-cache --format " + format);
    EXPECT_THAT(run.out, Not(HasSubstr("\n::error::x"))) << format;
    EXPECT_THAT(run.out, Not(HasSubstr("\x1b"))) << format;
  }
  EXPECT_THAT(Run("lint . --no-cache --diff --unsafe-fixes").out, Not(HasSubstr("\x1b")));
}

TEST_F(HostileCheckout, PathsThatAreNotThereAreMessages) {
  EXPECT_EQ(Run("lint '' train.py ''").exit_code, 2);
  const std::string gone = "mkdir gone && cd gone && rmdir ../gone &&";
  for (const std::string command : {"lint", "lint x.py", "lint zoo:mlp", "inspect x.py"}) {
    EXPECT_LE(RunTilewise(command, "cd '" + folder_.path("") + "' && " + gone).exit_code, 2)
        << command;
  }
}

TEST_F(HostileCheckout, WhatIsNoProgramIsNoFailureOfAWalk) {
  Write("repo/pod.yaml", "apiVersion: v1\nkind: Pod\n");
  Write("repo/settings.gin", "a.b = 3\n");
  Write("repo/web.config", "server { listen 80; }\n");
  Write("repo/plain.ipynb", "no notebook");
  const RunResult run = Run("lint . --exit-zero");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  // One that the user names is.
  EXPECT_EQ(Run("lint plain.ipynb").exit_code, 2);
  // A program's file, too.
  Write("repo/step.hlo", "HloModule step\n");
  EXPECT_EQ(Run("lint . --exit-zero").exit_code, 2);
}

}  // namespace
}  // namespace tilewise
