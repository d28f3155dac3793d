// Which files are linted, as which programs, through which cache.

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kGood[] = "import tensorflow as tf\nx = 1\n";
constexpr char kBad[] =
    "import tensorflow as tf\n"
    "ds = tf.data.Dataset.range(100000).map(f).prefetch(2).batch(10)\n";

class LintFiles : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, std::string_view text) {
    fs::create_directories(fs::path(folder_.path(name)).parent_path());
    return folder_.Write(name, text);
  }
  // In the folder, without a configuration from above.
  RunResult Lint(const std::string& arguments) {
    return RunTilewise("lint " + arguments, "cd '" + folder_.path("") + "' &&");
  }
  // What `shell` says, run in the folder with $TW as the program.
  std::string Shell(const std::string& shell) {
    const std::string out = folder_.path("../" + Name());
    const std::string command = "cd '" + folder_.path("") + "' && TW='" + TILEWISE_BINARY +
                                "' && (" + shell + ") >'" + out + "' 2>&1";
    code_ = std::system(command.c_str());
    std::ostringstream text;
    text << std::ifstream(out, std::ios::binary).rdbuf();
    fs::remove(out);
    return text.str();
  }
  std::string Name() const {
    return fs::path(folder_.path("")).parent_path().filename().string() + ".out";
  }
  TemporaryFolder folder_;
  int code_ = 0;
};

TEST_F(LintFiles, WalksFoldersAndKeepsToIgnoreFiles) {
  Write("a.py", kBad);
  Write("b/c.py", kBad);
  Write("out/d.py", kBad);
  Write("notes.txt", "nothing to lint");
  Write("package.json", "{\"name\": \"x\"}");
  Write(".gitignore", "/out/\n");
  EXPECT_EQ(Lint("--show-files .").out, "a.py\nb/c.py\n");
  EXPECT_EQ(Lint("--show-files --no-respect-gitignore .").out, "a.py\nb/c.py\nout/d.py\n");
  EXPECT_EQ(Lint("--show-files --exclude b .").out, "a.py\n");
  // What is named is linted.
  EXPECT_EQ(Lint("--show-files out/d.py").out, "out/d.py\n");
}

TEST_F(LintFiles, ReportsAllProgramsOfAFolderTogether) {
  Write("a.py", kBad);
  Write("b.py", kBad);
  Write("good.py", kGood);
  const RunResult run = Lint("--format json .");
  const auto json = nlohmann::json::parse(run.out, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << run.err;
  EXPECT_EQ(run.exit_code, 1);
  ASSERT_TRUE(json.contains("programs"));
  EXPECT_EQ(json["programs"].size(), 3u);
  std::set<std::string> files;
  for (const auto& finding : json["findings"]) {
    files.insert(finding["location"]["file"].get<std::string>());
  }
  EXPECT_EQ(files, (std::set<std::string>{"a.py", "b.py"}));
}

TEST_F(LintFiles, WhatProgramsHaveInAModuleThatTheyShareIsSaidOnce) {
  Write("data.py",
        "import tensorflow as tf\n"
        "def make():\n"
        "  return tf.data.Dataset.range(90000).map(lambda x: x + 1).prefetch(2).batch(3)\n");
  const std::string train =
      "import tensorflow as tf\nfrom data import make\n"
      "model = tf.keras.Sequential([tf.keras.layers.Dense(8)])\n"
      "model.compile('sgd', 'mse')\nmodel.fit(make())\n";
  Write("one.py", train);
  Write("two.py", train);
  const RunResult run = Lint("--format json --select IP002 one.py two.py");
  const auto json = nlohmann::json::parse(run.out, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << run.err;
  ASSERT_EQ(json["findings"].size(), 1u);
  EXPECT_THAT(json["findings"][0]["message"].get<std::string>(),
              HasSubstr("the same in 1 more program"));
}

TEST_F(LintFiles, ModelAndItsScriptAreOneProgramTwoScriptsAreTwo) {
  Write("m.json", kSmallModel);
  Write("a.py", kSmallScript);
  Write("b.py", kBad);
  const auto programs = [&](const std::string& arguments) {
    const auto json = nlohmann::json::parse(Lint("--format json " + arguments).out, nullptr, false);
    if (json.is_discarded()) return -1;
    return json.contains("programs") ? static_cast<int>(json["programs"].size()) : 1;
  };
  EXPECT_EQ(programs("m.json b.py"), 1);
  EXPECT_EQ(programs("a.py b.py"), 2);
  EXPECT_EQ(programs("--separate m.json b.py"), 2);
}

TEST_F(LintFiles, AFileThatCannotBeReadIsOneLineAndTheOthersAreLinted) {
  Write("bad.json", "{");
  Write("a.py", kBad);
  const RunResult run = Lint("a.py nowhere.py bad.json --format json");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.out, HasSubstr("IP002"));
  EXPECT_THAT(run.err, StartsWith("tilewise: error: nowhere.py: no such"));
  EXPECT_THAT(run.err, HasSubstr("tilewise: error: bad.json"));
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 2);
}

TEST_F(LintFiles, AFolderWithNothingInItIsNoFailure) {
  const RunResult run = Lint(".");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("warning: .: found no files"));
}

// They look like Python or MLIR, and name a framework.
TEST_F(LintFiles, ScriptsOfAShellAndTerraformInAWalkAreNoFailure) {
  Write("train.py", kGood);
  Write("deploy.sh", "#!/usr/bin/env bash\nimport tensorflow || pip install tensorflow\n");
  Write("main.tf", "module \"tpu\" {\n  source = \"./tensorflow\"\n}\n");
  const RunResult run = Lint(".");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, Not(HasSubstr("error")));
}

TEST_F(LintFiles, StandardInputHasTheNameThatItIsGiven) {
  Write("in.py", kBad);
  const std::string out = Shell("\"$TW\" lint - --stdin-filename src/train.py <in.py");
  EXPECT_THAT(out, HasSubstr("src/train.py:2:"));
  EXPECT_THAT(out, HasSubstr("IP002"));
}

// Its name says nothing of how comments are written, its content does.
TEST_F(LintFiles, StandardInputIsSilencedByItsComments) {
  Write("in.py",
        "import tensorflow as tf\n"
        "d = tf.data.Dataset.range(8).prefetch(2).batch(4)  "
        "# tilewise: ignore[IP002]\n");
  EXPECT_THAT(Shell("\"$TW\" lint - --select IP002 <in.py"),
              HasSubstr("Found no findings; 1 suppressed"));
}

// A file that the user names and that is no program is not one without problems.
TEST_F(LintFiles, AFileWithoutAFrameworkIsSaidToBeUnchecked) {
  Write("plain.py", "import os\nprint(os.getcwd())\n");
  Write("good.py", kGood);
  EXPECT_THAT(Lint("plain.py").out, HasSubstr("names no framework"));
  EXPECT_THAT(Lint("good.py").out, Not(HasSubstr("names no framework")));
  EXPECT_THAT(Lint(".").out, Not(HasSubstr("names no framework")));
}

TEST_F(LintFiles, AConfigurationThatRaisesSaysWhy) {
  Write("train.py",
        "from absl import app, flags\nimport jax\nfrom ml_collections import config_flags\n"
        "config_flags.DEFINE_config_file('config')\n"
        "def main(_):\n  print(flags.FLAGS.config.batch)\n"
        "if __name__ == '__main__':\n  app.run(main)\n");
  Write("configs/a.py",
        "import ml_collections\nimport jax.numpy as jnp\n"
        "def get_config():\n  raise ValueError('which of them?')\n");
  const std::string out = Lint("--verbose configs/a.py").out;
  EXPECT_THAT(out, HasSubstr("get_config() ends with ValueError: which of them?"));
}

TEST_F(LintFiles, AProgramOfPyTorchAloneIsSaidToBeMoved) {
  constexpr std::string_view kProgram =
      "import torch\nmodel = torch.nn.Linear(512, 512)\n"
      "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
      "for i in range(100):\n  loss = model(torch.zeros(64, 512)).sum()\n"
      "  loss.backward()\n  optimizer.step()\n";
  Write("moved.py", kProgram);
  Write("there.py", "import torch_xla\n" + std::string(kProgram));
  EXPECT_THAT(Lint("--verbose moved.py").out, HasSubstr("does not import torch_xla"));
  EXPECT_THAT(Lint("--verbose there.py").out, Not(HasSubstr("does not import torch_xla")));
}

TEST_F(LintFiles, TheOptimizerOfAModelBesideAProgramIsSaidWhereItIsInDoubt) {
  const auto simulate = [this](const std::string& made) {
    Write("train.py",
          "import torch, torch_xla.core.xla_model as xm, my_models\nmodel = my_models.build()\n" +
              made +
              "for x, y in my_models.data():\n  model(x, y).backward()\n  xm.optimizer_step(o)\n");
    return Shell("$TW simulate --chip v3-8 train.py zoo:resnet50");
  };
  const std::string sgd = "o = torch.optim.SGD(model.parameters(), 0.1)\n";
  EXPECT_THAT(simulate(sgd), Not(HasSubstr("give --optimizer")));
  EXPECT_THAT(simulate("o = my_models.Optimizer(model)\n"),
              HasSubstr("the optimizer of the program is not known; sgd stands in"));
  EXPECT_THAT(simulate("a = torch.optim.Adam(model.parameters())\n" + sgd),
              HasSubstr("SGD for all weights and not Adam"));
}

TEST_F(LintFiles, AnyNumberOfThreadsGivesTheSameBytes) {
  for (int i = 0; i < 24; ++i) {
    Write("f" + std::to_string(i) + ".py", i % 3 == 0 ? kGood : kBad);
  }
  Write("m.json", kSmallModel);
  const std::string one = Lint("--no-cache --jobs 1 .").out;
  EXPECT_THAT(one, HasSubstr("IP002"));
  EXPECT_EQ(Lint("--no-cache --jobs 4 .").out, one);
  EXPECT_EQ(Lint("--jobs 3 .").out, one);
  EXPECT_EQ(Lint("--jobs 2 .").out, one);  // from the cache
}

TEST_F(LintFiles, TheCacheNoticesWhatFindingsDependOn) {
  Write("a.py", kBad);
  const std::string first = Lint("a.py").out;
  EXPECT_TRUE(fs::exists(folder_.path(".tilewise_cache/CACHEDIR.TAG")));
  EXPECT_EQ(Lint("a.py").out, first);
  EXPECT_THAT(Lint("--ignore IP002 a.py").out, Not(HasSubstr("IP002")));
  Write(".tilewise.yaml", "ignore: [IP002]\n");
  EXPECT_THAT(Lint("a.py").out, Not(HasSubstr("IP002")));
  fs::remove(folder_.path(".tilewise.yaml"));
  Write("a.py", kGood);
  EXPECT_THAT(Lint("a.py").out, Not(HasSubstr("IP002")));
  Write("a.py", kBad);
  // Entries that are damaged are made anew.
  for (const auto& entry : fs::directory_iterator(folder_.path(".tilewise_cache"))) {
    if (entry.path().extension() != ".json") continue;
    std::ofstream(entry.path(), std::ios::trunc) << "{";
  }
  EXPECT_EQ(Lint("a.py").out, first);
}

TEST_F(LintFiles, KnowsTheReleasesThatTheProjectPins) {
  Write("a.py",
        "import tensorflow as tf\n"
        "ds = tf.data.Dataset.range(1000).batch(128, drop_remainder=True)\n");
  const std::string lint = "--select IP001 a.py";
  EXPECT_THAT(Lint(lint).out, HasSubstr("releases from 2.13 on may add"));
  // Through the cache: what a finding depends on is part of its key.
  Write("requirements.txt", "tensorflow==2.15.0\n");
  EXPECT_THAT(Lint(lint).out, HasSubstr("this release adds it by itself"));
  Write("requirements.txt", "tensorflow==2.3\n");
  EXPECT_THAT(Lint(lint).out, HasSubstr("nothing adds it by itself here"));
  EXPECT_THAT(Lint("--show-config a.py").out,
              HasSubstr("# runs with tensorflow == 2.3  # requirements.txt:1:1"));
}

// The same through the cache: where findings stand is what they depend on.
TEST_F(LintFiles, KnowsTheDebugInfoOfASavedModelThatIsWrittenLater) {
  Write("m/saved_model.pbtxt", R"(
      saved_model_schema_version: 1 meta_graphs { graph_def {
        node { name: "x" op: "Placeholder"
          attr { key: "dtype" value { type: DT_FLOAT } }
          attr { key: "shape" value { shape { dim { size: 4 } } } } }
        node { name: "y" op: "Frobnicate" input: "x"
          attr { key: "T" value { type: DT_FLOAT } }
          attr { key: "_output_shapes" value { list {
            shape { dim { size: 4 } } } } } } } })");
  const std::string lint = "m/saved_model.pbtxt";
  EXPECT_THAT(Lint(lint).out + Lint(lint).err, Not(HasSubstr("train.py:6")));
  fs::create_directory(folder_.path("m/debug"));
  Write("m/debug/saved_model_debug_info.pb",
        "\x0A\x08train.py\x12\x0A\x0A\x02y@\x12\x04\x0A\x02\x10\x06");
  const auto second = Lint(lint);
  EXPECT_THAT(second.out + second.err, HasSubstr("train.py:6"));
}

TEST_F(LintFiles, NoCacheLeavesNoTrace) {
  Write("a.py", kBad);
  Lint("--no-cache a.py");
  EXPECT_FALSE(fs::exists(folder_.path(".tilewise_cache")));
  Lint("--cache-dir kept a.py");
  EXPECT_TRUE(fs::exists(folder_.path("kept/CACHEDIR.TAG")));
}

TEST_F(LintFiles, EndlessInputIsRefused) {
  const std::string out = Shell("\"$TW\" lint - < /dev/zero; echo code $?");
  EXPECT_THAT(out, HasSubstr("found more than 64 MiB on standard input"));
  EXPECT_THAT(out, HasSubstr("code 2"));
}

TEST_F(LintFiles, WatchLintsAgainAndEndsCleanly) {
  Write("a.py", kGood);
  const std::string out = Shell(
      "\"$TW\" lint --watch --no-cache . & pid=$!; "
      "(sleep 20; kill -9 $pid) >/dev/null 2>&1 & limit=$!; sleep 1; "
      "printf 'import tensorflow as tf\\n"
      "ds = tf.data.Dataset.range(9000).map(f).prefetch(2).batch(3)\\n' > a.py; "
      "sleep 2; kill -INT $pid; wait $pid; echo code $?; kill $limit");
  EXPECT_THAT(out, HasSubstr("IP002"));
  EXPECT_THAT(out, HasSubstr("code 0"));
}

}  // namespace
}  // namespace tilewise
