// Flags, variables and configuration files together, through the program.

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string ReadFile(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class Config : public ::testing::Test {
 protected:
  void Write(const std::string& name, std::string_view text) const {
    const std::filesystem::path path = folder_.path(name);
    std::filesystem::create_directories(path.parent_path());
    (void)folder_.Write(name, text);
  }

  // Run in the folder, without a cache.
  RunResult Run(const std::string& arguments, const std::string& variables = "") const {
    return RunTilewise(arguments,
                       "cd " + folder_.path("") + " && " + "TILEWISE_CACHE=false " + variables);
  }

  nlohmann::json Json(const std::string& arguments, const std::string& variables = "") const {
    const RunResult run = Run(arguments + " --format json", variables);
    EXPECT_EQ(run.err, "");
    return nlohmann::json::parse(run.out, nullptr, false);
  }

  std::set<std::string> Rules(const std::string& arguments,
                              const std::string& variables = "") const {
    std::set<std::string> rules;
    const nlohmann::json report = Json(arguments, variables);
    for (const auto& finding : report["findings"]) {
      rules.insert(finding["rule"].get<std::string>());
    }
    return rules;
  }

  TemporaryFolder folder_;
};

TEST_F(Config, FlagsWinOverVariablesOverFilesOverDefaults) {
  Write("m.json", kSmallModel);
  const auto batch = [&](const std::string& arguments, const std::string& variables = "") {
    return Json("simulate m.json --chip v2 " + arguments,
                variables)["setting"]["global_batch_examples"];
  };
  const auto standard = batch("");
  Write(".tilewise.yaml", "batch: 512\n");
  EXPECT_NE(standard, 512);
  EXPECT_EQ(batch(""), 512);
  EXPECT_EQ(batch("", "TILEWISE_BATCH=1024"), 1024);
  EXPECT_EQ(batch("--batch 2048", "TILEWISE_BATCH=1024"), 2048);
  EXPECT_EQ(batch("--batch-per-core 32", "TILEWISE_BATCH=1024"), 256);
  EXPECT_EQ(batch("--no-config"), standard);
}

TEST_F(Config, TheNearestFileUpwardsAndWhatItExtends) {
  Write("sub/m.json", kSmallModel);
  Write("shared.yaml", "chip: v2\nbatch: 256\n");
  Write("sub/.tilewise.yaml", "extends: ../shared.yaml\nbatch: 512\n");
  const auto json = Json("simulate sub/m.json");
  EXPECT_EQ(json["setting"]["global_batch_examples"], 512);
  EXPECT_THAT(json.dump(), HasSubstr("TPU v2"));
  const auto given = Json("simulate sub/m.json --config shared.yaml");
  EXPECT_EQ(given["setting"]["global_batch_examples"], 256);
}

TEST_F(Config, MistakesNameTheirPlace) {
  Write("t.py", kSmallScript);
  const auto error = [&](const std::string& text, const std::string& arguments = "lint t.py",
                         const std::string& variables = "") {
    Write(".tilewise.yaml", text);
    const RunResult run = Run(arguments, variables);
    EXPECT_EQ(run.exit_code, 2) << run.out;
    return run.err;
  };
  EXPECT_THAT(error("slect: [AL]\n"), HasSubstr(".tilewise.yaml:1:1: found key 'slect'"));
  EXPECT_THAT(error("chip: v33\n"), HasSubstr("v33"));
  EXPECT_THAT(error("optimizer: adm\n"),
              HasSubstr(".tilewise.yaml:1:12: --optimizer: found 'adm'"));
  EXPECT_THAT(error("batch: -3\n"), HasSubstr(".tilewise.yaml:1:8"));
  EXPECT_THAT(error("", "lint t.py", "TILEWISE_BATCH=none"),
              HasSubstr("TILEWISE_BATCH: --batch: found 'none'"));
  EXPECT_THAT(error("", "lint t.py --select AL1"), HasSubstr("--select"));
  EXPECT_THAT(error("", "lint t.py --severity IP002=bad"),
              HasSubstr("expected info, warning, error or off"));
}

TEST_F(Config, SlipsOfThePenNameWhatIsNearAndWhereItIs) {
  Write("t.py", kSmallScript);
  const auto error = [&](const std::string& arguments, const std::string& variables = "") {
    const RunResult run = Run(arguments, variables);
    EXPECT_EQ(run.exit_code, 2) << arguments;
    return run.err;
  };
  EXPECT_THAT(error("lint t.py --selct IP"),
              HasSubstr("found '--selct', expected an option of 'tilewise lint "
                        "--help'; did you mean '--select'?"));
  EXPECT_THAT(error("lint t.py", "TILEWISE_CHIP=v9"),
              HasSubstr("error: TILEWISE_CHIP: found chip 'v9'"));
  Write(".tilewise.yaml", "batch: 64\nchip: v9\n");
  EXPECT_THAT(error("lint t.py"), HasSubstr("error: .tilewise.yaml:2:7: found chip 'v9'"));
  Write(".tilewise.yaml", "suppress: [{rule: IP999, path: '*.py'}]\n");
  EXPECT_THAT(error("lint t.py"), HasSubstr(".tilewise.yaml:1:12: found rule 'IP999'"));
  Write(".tilewise.yaml", "workloads: [{name: w, files: [t.py, gone.json]}]\n");
  EXPECT_THAT(Run("lint .").err, HasSubstr("gone.json"));
}

TEST_F(Config, RulesAreChosenInLayers) {
  Write("t.py", kSmallScript);
  const std::set<std::string> all = Rules("lint t.py");
  ASSERT_TRUE(all.contains("IP003") && all.contains("IP001")) << all.size();
  Write(".tilewise.yaml", "ignore: [IP003]\n");
  EXPECT_FALSE(Rules("lint t.py").contains("IP003"));
  EXPECT_TRUE(Rules("lint t.py").contains("IP001"));
  EXPECT_TRUE(Rules("lint t.py --extend-select IP003").contains("IP003"));
  EXPECT_EQ(Rules("lint t.py --select IP003"), std::set<std::string>{"IP003"});
  EXPECT_EQ(Rules("lint t.py", "TILEWISE_SELECT=IP003"), std::set<std::string>{"IP003"});
  Write(".tilewise.yaml", "per-path: [{paths: '*.py', ignore: [ALL]}]\n");
  EXPECT_EQ(Rules("lint t.py"), std::set<std::string>{});
}

TEST_F(Config, SeverityDecidesTheExitCode) {
  Write("t.py", kSmallScript);
  EXPECT_EQ(Run("lint t.py --select DY002").exit_code, 1);
  EXPECT_EQ(Run("lint t.py --select DY002 --severity DY002=info").exit_code, 0);
  EXPECT_EQ(Run("lint t.py --select DY002 --exit-zero").exit_code, 0);
  EXPECT_EQ(Run("lint t.py --select DY002 --fail-on never --max-warnings 1").exit_code, 0);
  EXPECT_EQ(Run("lint t.py --select DY002 --fail-on never --max-warnings 0").exit_code, 1);
  Write(".tilewise.yaml", "severity: {DY002: 'off'}\n");
  EXPECT_FALSE(Rules("lint t.py").contains("DY002"));
}

TEST_F(Config, SuppressedFindingsAreSilentAndUnusedOnesReported) {
  std::string text(kSmallScript);
  text.replace(text.find(".batch(1024)\n"), 13,
               ".batch(1024)  # tilewise: ignore[DY002, OP007] known\n");
  Write("t.py", text);
  const auto json = Json("lint t.py --select DY002,OP007,SU");
  ASSERT_EQ(json["findings"].size(), 1u) << json.dump();
  EXPECT_EQ(json["findings"][0]["rule"], "SU001");
  EXPECT_THAT(json["findings"][0]["message"].get<std::string>(), HasSubstr("OP007"));
}

TEST_F(Config, ABaselineHidesWhatIsKnownAndFailsWhenStale) {
  Write("t.py", kSmallScript);
  EXPECT_EQ(Run("lint t.py --write-baseline known.json").exit_code, 0);
  EXPECT_EQ(Rules("lint t.py --baseline known.json"), std::set<std::string>{});
  Write("t.py", "import os\n" + std::string(kSmallScript));
  EXPECT_EQ(Rules("lint t.py --baseline known.json"), std::set<std::string>{});
  Write("t.py", "import os\n");
  const RunResult stale = Run("lint t.py --baseline known.json");
  EXPECT_EQ(stale.exit_code, 2);
  EXPECT_THAT(stale.err, HasSubstr("--prune-baseline"));
  EXPECT_EQ(Run("lint t.py --baseline known.json --pass-on-stale").exit_code, 0);
  EXPECT_EQ(Run("lint t.py --baseline known.json --prune-baseline").exit_code, 0);
  EXPECT_EQ(Run("lint t.py --baseline known.json").exit_code, 0);
  EXPECT_THAT(ReadFile(folder_.path("known.json")), Not(HasSubstr("DY002")));
}

TEST_F(Config, ABaselineOfOtherFingerprintsIsToBeWrittenAnew) {
  Write("t.py", kSmallScript);
  Write("known.json",
        "{\"version\": 1, \"tilewise\": \"0.1.0\", \"findings\": [\n"
        "{\"rule\": \"DY002\", \"path\": \"t.py\", \"subject\": \"\", "
        "\"message\": \"the same at # more locations\", "
        "\"fingerprint\": \"0123456789abcdef\"}]}");
  for (const std::string how : {"", " --prune-baseline", " --pass-on-stale"}) {
    const RunResult old = Run("lint t.py --baseline known.json" + how);
    EXPECT_EQ(old.exit_code, 2);
    EXPECT_EQ(old.out, "");
    EXPECT_THAT(old.err, AllOf(HasSubstr("known.json: found a baseline of "
                                         "version 1"),
                               HasSubstr("--write-baseline known.json")));
  }
  const RunResult anew = Run("lint t.py --baseline known.json --write-baseline known.json");
  EXPECT_EQ(anew.exit_code, 0) << anew.err;
  EXPECT_EQ(Rules("lint t.py --baseline known.json"), std::set<std::string>{});
}

// More findings of a rule than are shown one by one: a summary hides none of
// them from the baseline.
TEST_F(Config, ABaselineKnowsEachPlaceThatASummaryStandsFor) {
  const auto script = [](int chains) {
    std::string text = "import tensorflow as tf\n";
    for (int i = 1; i <= chains; ++i) {
      text += "d" + std::to_string(i) + " = tf.data.Dataset.range(" + std::to_string(1000 * i) +
              ").prefetch(2).batch(10)\n";
    }
    return text;
  };
  const std::string lint = "lint t.py --select IP002 --no-cache ";
  Write("t.py", script(9));
  EXPECT_EQ(Run(lint + "--write-baseline known.json").exit_code, 0);
  EXPECT_EQ(Json(lint + "--baseline known.json")["findings"].size(), 0u);
  Write("t.py", script(10));
  const auto one_more = Json(lint + "--baseline known.json")["findings"];
  ASSERT_EQ(one_more.size(), 1u) << one_more.dump();
  EXPECT_EQ(one_more[0]["location"]["line"], 11);
  EXPECT_THAT(one_more[0]["message"].get<std::string>(), Not(HasSubstr("more locations")));
  Write("t.py", script(8));
  const RunResult one_less = Run(lint + "--baseline known.json");
  EXPECT_EQ(one_less.exit_code, 2);
  EXPECT_THAT(one_less.err, HasSubstr("found 1 entry that no finding has"));
}

TEST_F(Config, FixedDimsComeFromAllSources) {
  Write("m.json", kSmallModel);
  Write(".tilewise.yaml", "fixed-dims: [10, \"dense*:1\"]\n");
  EXPECT_THAT(Run("lint m.json --show-config").out, HasSubstr("fixed-dims: [10, 'dense*:1']"));
  EXPECT_THAT(Run("lint m.json --show-config", "TILEWISE_FIXED_DIMS=7,8").out,
              HasSubstr("fixed-dims: [7, 8]"));
  const RunResult wrong = Run("lint m.json --fixed-dims 0");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("fixed-dims: found size 0"));
}

TEST_F(Config, WhatMeansNothingIsSaidWithItsPlace) {
  Write("p/m.json", kSmallModel);
  Write("p/t.py", kSmallScript);
  EXPECT_THAT(Run("lint p --fixed-dims nothing:x,10").err,
              AllOf(HasSubstr("warning: --fixed-dims: found 'nothing:x' in "
                              "fixed-dims, which is no dim"),
                    Not(HasSubstr("'10'"))));
  EXPECT_THAT(Run("lint p/m.json", "TILEWISE_FIXED_DIMS=11").err,
              HasSubstr("TILEWISE_FIXED_DIMS: found '11'"));
  EXPECT_THAT(Run("advise p/m.json --fixed-dims 11").err, HasSubstr("--fixed-dims: found '11'"));
  // A script without a model knows no dims.
  Write("p/i.py", "import tensorflow as tf\nd = tf.data.Dataset.range(8)\n");
  EXPECT_EQ(Run("lint p/i.py --fixed-dims nothing:x").err, "");
  Write("p/.tilewise.yaml",
        "fixed-dims: [hiden]\n"
        "severity: {AL006: error, AL004: \"off\"}\n"
        "thresholds: {AL006.min-share: 0.1}\n"
        "per-path:\n  - {paths: tests/**, ignore: [IP]}\n"
        "  - {paths: t.py, ignore: [IP]}\n");
  const std::string said = Run("lint p").err;
  EXPECT_THAT(said, HasSubstr("p/.tilewise.yaml:1:13: found 'hiden' in"));
  EXPECT_THAT(said, HasSubstr("did you mean 'hidden'?"));
  EXPECT_THAT(said, HasSubstr("p/.tilewise.yaml:5:5: found paths 'tests/**'"));
  EXPECT_THAT(said, Not(HasSubstr("t.py")));
  // Of a folder that is there, and of a workload that is not.
  std::filesystem::create_directories(folder_.path("p/tests"));
  EXPECT_THAT(Run("lint p").err, Not(HasSubstr("per-path")));
  // A file that is named says nothing of the others.
  EXPECT_THAT(Run("lint p/t.py").err, Not(HasSubstr("per-path")));
}

TEST_F(Config, ShowConfigReadsBackAndNamesWhereValuesComeFrom) {
  Write("t.py", kSmallScript);
  Write(".tilewise.yaml",
        "chip: v2\nignore: [DY]\nseverity: {IP: error}\n"
        "suppress: [{rule: OP001, path: a/*, node: \"it's/*\"}]\n"
        "workloads: [{name: w, files: t.py, batch: 8}]\n"
        "per-path: [{paths: t*, ignore: [AL]}]\n");
  const RunResult shown = Run("lint t.py --show-config --batch 64", "TILEWISE_CORES=8");
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("# .tilewise.yaml:1:7"));
  EXPECT_THAT(shown.out, HasSubstr("# --batch"));
  EXPECT_THAT(shown.out, HasSubstr("# TILEWISE_CORES"));
  EXPECT_THAT(shown.out, HasSubstr("# default"));
  EXPECT_THAT(shown.out, HasSubstr("rules run"));
  // The same settings, but for the places.
  Write(".tilewise.yaml", shown.out);
  const RunResult again = Run("lint t.py --show-config");
  ASSERT_EQ(again.exit_code, 0) << again.err;
  const auto values = [](const std::string& text) {
    std::istringstream stream(text);
    std::string kept;
    for (std::string line; std::getline(stream, line);) {
      if (line.starts_with("#")) continue;
      kept += line.substr(0, line.find(" # ")) + "\n";
    }
    return kept;
  };
  EXPECT_EQ(values(again.out), values(shown.out));
}

TEST_F(Config, InitWritesOneThatReadsAndNeverReplacesOne) {
  Write("run.sh", "gcloud compute tpus create x --accelerator-type=v3-32\n");
  Write("tests/t.py", "");
  ASSERT_EQ(Run("init").exit_code, 0);
  const std::string text = ReadFile(folder_.path(".tilewise.yaml"));
  EXPECT_THAT(text, HasSubstr("chip: v3    # as run.sh says\ncores: 32\n"));
  EXPECT_THAT(text, HasSubstr("tests/**"));
  Write("t.py", kSmallScript);
  EXPECT_LE(Run("lint t.py").exit_code, 1) << Run("lint t.py").err;
  const RunResult second = Run("init");
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_THAT(second.err, HasSubstr("--force replaces it"));
  EXPECT_EQ(Run("init --force").exit_code, 0);
  EXPECT_EQ(Run("init --print").out, text);
}

TEST_F(Config, ColourVariables) {
  Write("t.py", kSmallScript);
  EXPECT_THAT(Run("lint t.py", "FORCE_COLOR=1").out, HasSubstr("\x1b["));
  EXPECT_THAT(Run("lint t.py", "FORCE_COLOR=0").out, Not(HasSubstr("\x1b[")));
  EXPECT_THAT(Run("lint t.py", "NO_COLOR=1 FORCE_COLOR=1").out, Not(HasSubstr("\x1b[")));
  EXPECT_THAT(Run("lint t.py", "NO_COLOR=1 TILEWISE_COLOR=always").out, HasSubstr("\x1b["));
  EXPECT_THAT(Run("lint t.py --color never", "FORCE_COLOR=1").out, Not(HasSubstr("\x1b[")));
}

TEST(ConfigurationPage, NamesEveryFlagOfLint) {
  const std::string page = ReadFile(TILEWISE_SOURCE_DIR "/docs/configuration.md");
  std::istringstream script(RunTilewise("completions fish").out);
  int flags = 0;
  for (std::string line; std::getline(script, line);) {
    const std::string from = "__fish_seen_subcommand_from lint' -l ";
    const size_t at = line.find(from);
    if (at == std::string::npos) continue;
    const size_t begin = at + from.size();
    const std::string flag = "--" + line.substr(begin, line.find(' ', begin) - begin);
    if (flag == "--help") continue;
    ++flags;
    EXPECT_THAT(page, HasSubstr(flag));
  }
  EXPECT_GT(flags, 40);
}

TEST(Completions, NameCommandsAndFlagsForThreeShells) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const RunResult run = RunTilewise("completions " + shell);
    EXPECT_EQ(run.exit_code, 0) << shell;
    for (const std::string word : {"advise", "lint", "unsafe-fixes", "chip"}) {
      EXPECT_THAT(run.out, HasSubstr(word)) << shell;
    }
  }
  EXPECT_EQ(RunTilewise("completions tcsh").exit_code, 2);
}

TEST(Completions, BashTakesTheScript) {
  const TemporaryFolder folder;
  const std::string script = folder.Write("c.bash", RunTilewise("completions bash").out);
  EXPECT_EQ(std::system(("bash -n " + script).c_str()), 0);
}

}  // namespace
}  // namespace tilewise
