// --fix and --diff on files of every kind.

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kChain[] =
    "import tensorflow as tf\n"
    "ds = (\n"
    "    tf.data.Dataset.range(100000)\n"
    "    .prefetch(2)  # overlap\n"
    "    .batch(10)\n"
    ")\n";
constexpr char kFixed[] =
    "import tensorflow as tf\n"
    "ds = (\n"
    "    tf.data.Dataset.range(100000)\n"
    "    .batch(10)\n"
    "    .prefetch(2)  # overlap\n"
    ")\n";

class LintFix : public ::testing::Test {
 protected:
  RunResult Lint(const std::string& arguments) {
    return RunTilewise("lint --select IP002 " + arguments, "cd '" + folder_.path("") + "' &&");
  }
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_.path(name), std::ios::binary).rdbuf();
    return text.str();
  }
  TemporaryFolder folder_;
};

TEST_F(LintFix, WritesTheFixAndSaysSo) {
  folder_.Write("a.py", kChain);
  const RunResult run = Lint("--fix --unsafe-fixes a.py");
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_EQ(Read("a.py"), kFixed);
  EXPECT_THAT(run.out, HasSubstr("1 fixed"));
  // A second run has nothing to do.
  Lint("--fix --unsafe-fixes a.py");
  EXPECT_EQ(Read("a.py"), kFixed);
}

TEST_F(LintFix, DiffWritesNothingAndExitsWithOne) {
  folder_.Write("a.py", kChain);
  const RunResult run = Lint("--diff --unsafe-fixes a.py");
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.out, StartsWith("--- a/a.py\n+++ b/a.py\n@@ "));
  EXPECT_THAT(run.out, HasSubstr("-    .prefetch(2)  # overlap\n"));
  EXPECT_EQ(Read("a.py"), kChain);
  folder_.Write("a.py", kFixed);
  EXPECT_EQ(Lint("--diff --unsafe-fixes a.py").exit_code, 0);
}

// The report, the preview and the fix count the same findings.
TEST_F(LintFix, CountsAreOneNotion) {
  std::string chains = "import tensorflow as tf\n";
  for (int i = 1; i <= 9; ++i) {
    chains += "d" + std::to_string(i) + " = tf.data.Dataset.range(" + std::to_string(i) +
              "000).prefetch(2).batch(10)\n";
  }
  folder_.Write("many.py", chains);
  EXPECT_THAT(Lint("many.py").out, HasSubstr("Found 6 warnings; 6 can be fixed by --fix."));
  EXPECT_THAT(Lint("many.py --diff").err, HasSubstr("6 findings would be fixed"));
  EXPECT_THAT(Lint("many.py --fix").out, HasSubstr("6 fixed"));
  EXPECT_THAT(Read("many.py"), Not(HasSubstr("prefetch(2).batch")));
}

// To divide a batch by the cores brings up that it fills no tile: one finding.
TEST_F(LintFix, AFixThatTakesTwoStepsIsOneFinding) {
  folder_.Write("pipeline.config", R"(model {
  faster_rcnn {
    image_resizer {
      fixed_shape_resizer { height: 600 width: 600 }
    }
  }
}
train_config {
  batch_size: 1
}
train_input_reader {
  tf_record_input_reader { input_path: "gs://bucket/train-?????" }
}
)");
  const std::string lint = "lint pipeline.config --select DI001,AL002 --cores 8";
  const std::string in = "cd '" + folder_.path("") + "' &&";
  EXPECT_THAT(RunTilewise(lint, in).out, HasSubstr("Found 1 error; 1 can be"));
  const RunResult shown = RunTilewise(lint + " --unsafe-fixes --diff", in);
  EXPECT_THAT(shown.out, HasSubstr("+  batch_size: 64"));
  EXPECT_THAT(shown.err, HasSubstr("1 finding would be fixed"));
}

TEST_F(LintFix, KeepsLineEndsAndTheByteOrderMark) {
  std::string chain, fixed;
  for (const char c : std::string(kChain)) {
    chain += c == '\n' ? "\r\n" : std::string(1, c);
  }
  for (const char c : std::string(kFixed)) {
    fixed += c == '\n' ? "\r\n" : std::string(1, c);
  }
  folder_.Write("a.py", "\xEF\xBB\xBF" + chain);
  Lint("--fix --unsafe-fixes a.py");
  EXPECT_EQ(Read("a.py"), "\xEF\xBB\xBF" + fixed);
}

TEST_F(LintFix, ANotebookKeepsItsOtherBytes) {
  const std::string before = R"nb({"nbformat" : 4, "cells": [
 {"cell_type": "code", "source": ["import tensorflow as tf\n",
   "n = \"\u00e9\""], "outputs": [{"a":   1.50}]},
 {"cell_type": "code", "source": [
   "ds = tf.data.Dataset.range(9000).prefetch(2).batch(3)\n",
   "x = 1"]}]}
)nb";
  folder_.Write("book.ipynb", before);
  Lint("--fix --unsafe-fixes book.ipynb");
  std::string expected = before;
  const std::string call = ".prefetch(2).batch(3)";
  expected.replace(expected.find(call), call.size(), ".batch(3).prefetch(2)");
  EXPECT_EQ(Read("book.ipynb"), expected);
}

TEST_F(LintFix, SuppressedAndKnownFindingsStay) {
  std::string text = kChain;
  const std::string line = ".prefetch(2)  # overlap";
  text.replace(text.find(line), line.size(), ".prefetch(2)  # tilewise: ignore[IP002] measured");
  folder_.Write("a.py", text);
  Lint("--fix --unsafe-fixes a.py");
  EXPECT_EQ(Read("a.py"), text);
  folder_.Write("a.py", kChain);
  Lint("--write-baseline known.json a.py");
  const RunResult run = Lint("--baseline known.json --fix --unsafe-fixes a.py");
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_EQ(Read("a.py"), kChain);
}

TEST_F(LintFix, AReadOnlyFolderIsAFailureAndNothingIsLost) {
  folder_.Write("a.py", kChain);
  fs::permissions(folder_.path(""), fs::perms(0555));
  const RunResult run = Lint("--no-cache --fix --unsafe-fixes a.py");
  fs::permissions(folder_.path(""), fs::perms(0755));
  if (Read("a.py") == kFixed) GTEST_SKIP() << "root may write everywhere";
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("cannot write a.py"));
  EXPECT_EQ(Read("a.py"), kChain);
}

TEST_F(LintFix, FixOnlyReportsNothingThatIsLeft) {
  folder_.Write("a.py", kChain);
  const RunResult run = Lint("--fix-only --unsafe-fixes a.py");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "Fixed 1 finding.\n");
  EXPECT_EQ(Read("a.py"), kFixed);
}

}  // namespace
}  // namespace tilewise
