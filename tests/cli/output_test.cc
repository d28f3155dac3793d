// What goes where: formats, files, colours, exit codes, and the same bytes for
// the same input.

#include <algorithm>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kEscape[] = "\x1b";

std::string ReadText(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class Output : public ::testing::Test {
 protected:
  std::string model() const { return folder_.Write("m.json", kSmallModel); }
  std::string script() const { return folder_.Write("t.py", kSmallScript); }
  TemporaryFolder folder_;
};

TEST_F(Output, EveryModelCommandReportsOnAModelFile) {
  const std::string path = model();
  for (const std::string command : {"advise", "lint", "simulate", "estimate", "tune"}) {
    const RunResult run = RunTilewise(command + " --batch 1024 --chip v2 " + path);
    EXPECT_LE(run.exit_code, 1) << command << ": " << run.err;
    // The sentence may be wrapped anywhere.
    EXPECT_THAT(run.out, HasSubstr("1,024")) << command;
    EXPECT_THAT(run.out, HasSubstr("(128 per core)")) << command;
    EXPECT_EQ(run.err, "") << command;
  }
}

TEST_F(Output, BatchPerCoreIsTheSameAsItsGlobalBatch) {
  const std::string path = model();
  EXPECT_EQ(RunTilewise("simulate --chip v2 --batch-per-core 128 " + path).out,
            RunTilewise("simulate --chip v2 --batch 1024 " + path).out);
}

// What rules saw and what is too little for a finding, with its place and time (RD006).
TEST_F(Output, AdviseAndLintNameWhatIsTooSmall) {
  for (const std::string command : {"advise", "lint"}) {
    const RunResult run =
        RunTilewise(command + " examples/cifar10_cnn/train.py --chip v2 --format json",
                    "cd " TILEWISE_SOURCE_DIR " &&");
    const auto json = nlohmann::json::parse(run.out, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << command << run.err;
    const auto is_small = [](const auto& note) { return note["rule"] == "RD006"; };
    const auto note = std::ranges::find_if(json["notes"], is_small);
    ASSERT_NE(note, json["notes"].end()) << command;
    EXPECT_THAT(std::string((*note)["message"]), HasSubstr("OP001 max-pool-grad at line"));
    const auto of_pool = std::ranges::find_if(
        json["too_small"], [](const auto& small) { return small["finding"]["rule"] == "OP001"; });
    ASSERT_NE(of_pool, json["too_small"].end()) << command;
    EXPECT_FALSE(std::string((*of_pool)["reason"]).empty());
    EXPECT_EQ((*of_pool)["finding"]["location"]["line"], 47);
  }
}

TEST_F(Output, JsonIsOneDocumentInEveryCommand) {
  const std::string path = model();
  for (const std::string command : {"advise", "lint", "simulate", "estimate", "tune"}) {
    const RunResult run = RunTilewise(command + " --format json " + path);
    const auto json = nlohmann::json::parse(run.out, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << command << run.err;
    EXPECT_EQ(json["schema_version"], 1);
    EXPECT_EQ(json["command"], command);
  }
}

TEST_F(Output, SeveralFilesAreOneWorkload) {
  const std::string files = model() + " " + script();
  const RunResult run = RunTilewise("advise --format json " + files);
  const auto json = nlohmann::json::parse(run.out, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << run.err;
  const std::string workload = json["workload"];
  EXPECT_THAT(workload, HasSubstr("m.json"));
  EXPECT_THAT(workload, HasSubstr("t.py"));
  // The batch is the script's, the layers are the model's.
  EXPECT_EQ(json["setting"]["global_batch_examples"], 1024);
  EXPECT_EQ(json["coverage"]["layers_count"], 2);
}

TEST_F(Output, TwoRunsGiveTheSameBytes) {
  const std::string files = model() + " ";
  for (const std::string format : {"text", "json", "markdown"}) {
    const std::string arguments = "advise --format " + format + " " + files;
    const RunResult first = RunTilewise(arguments);
    const RunResult second = RunTilewise(arguments, "COLUMNS=40 TERM=xterm LANG=de_DE.UTF-8");
    EXPECT_NE(first.out, "");
    EXPECT_EQ(first.out, second.out) << format;
  }
}

TEST_F(Output, PipeHasNeitherColourNorProgress) {
  const RunResult run = RunTilewise("advise " + model(), "TERM=xterm");
  EXPECT_THAT(run.out, Not(HasSubstr(kEscape)));
  EXPECT_EQ(run.err, "");
}

TEST_F(Output, ColourAlwaysAndNever) {
  const std::string path = model();
  EXPECT_THAT(RunTilewise("advise --color always " + path).out, HasSubstr(kEscape));
  EXPECT_THAT(RunTilewise("advise --color never " + path).out, Not(HasSubstr(kEscape)));
}

TEST_F(Output, NoColorIsRespectedOnATerminal) {
  if (std::system("command -v script >/dev/null") != 0) {
    GTEST_SKIP() << "no script(1) to make a terminal";
  }
  const std::string path = model();
  const auto on_terminal = [&](const std::string& setting) {
    const std::string out = folder_.path("typescript");
    const std::string command = setting + " TERM=xterm script -qec '" + TILEWISE_BINARY + " lint " +
                                path + "' " + out + " >/dev/null </dev/null";
    (void)!std::system(command.c_str());
    return ReadText(out);
  };
  EXPECT_THAT(on_terminal("env -u NO_COLOR"), HasSubstr(kEscape));
  EXPECT_THAT(on_terminal("NO_COLOR=1"), Not(HasSubstr(kEscape)));
}

TEST_F(Output, FileHasWhatStandardOutputWouldHave) {
  const std::string path = model();
  const std::string file = folder_.path("report.txt");
  const RunResult to_file = RunTilewise("lint --output " + file + " " + path);
  EXPECT_EQ(to_file.out, "");
  EXPECT_EQ(ReadText(file), RunTilewise("lint " + path).out);
}

TEST_F(Output, WriteErrorsAreFailures) {
  const std::string path = model();
  const RunResult no_folder = RunTilewise("lint --output /nowhere/r " + path);
  EXPECT_EQ(no_folder.exit_code, 2);
  EXPECT_THAT(no_folder.err, HasSubstr("cannot write /nowhere/r"));
  const RunResult full = RunTilewise("lint --output /dev/full " + path);
  EXPECT_EQ(full.exit_code, 2);
  EXPECT_THAT(full.err, HasSubstr("/dev/full"));
}

TEST_F(Output, ClosedPipeEndsItQuietly) {
  const std::string pipe = folder_.path("pipe");
  const std::string err = folder_.path("err"), code = folder_.path("code");
  // A pipe whose only reader is gone before anything is written.
  const std::string command = "mkfifo " + pipe + " && exec 3<>" + pipe + " 4>" + pipe +
                              " 3<&- && " + TILEWISE_BINARY + " list rules >&4 2>" + err +
                              "; echo $? >" + code;
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(ReadText(err), "");
  EXPECT_EQ(ReadText(code), "141\n");
}

TEST_F(Output, ExitCodeFollowsFailOn) {
  const std::string path = script();
  const RunResult linted = RunTilewise("lint " + path);
  ASSERT_THAT(linted.out, HasSubstr("warning: ")) << linted.err;
  EXPECT_EQ(linted.exit_code, 1);
  EXPECT_EQ(RunTilewise("lint --fail-on never " + path).exit_code, 0);
  EXPECT_EQ(RunTilewise("lint --fail-on warning --ignore "
                        "AL,OP,LY,PR,ME,CO,IP,HL,DY " +
                        path)
                .exit_code,
            0);
}

TEST_F(Output, SelectKeepsOnlyWhatItNames) {
  const RunResult run = RunTilewise("lint --format json --select DY,IP002 " + script());
  const auto json = nlohmann::json::parse(run.out, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << run.err;
  ASSERT_FALSE(json["findings"].empty());
  for (const auto& finding : json["findings"]) {
    const std::string rule = finding["rule"];
    EXPECT_TRUE(rule == "IP002" || rule.starts_with("DY")) << rule;
  }
}

TEST(Help, NamesCommandsExamplesAndExitCodes) {
  const RunResult run = RunTilewise("--help");
  EXPECT_EQ(run.exit_code, 0);
  for (const std::string word : {"advise", "lint", "simulate", "estimate", "tune", "explain",
                                 "list", "Examples:", "Exit codes:"}) {
    EXPECT_THAT(run.out, HasSubstr(word));
  }
  EXPECT_EQ(run.err, "");
}

TEST(Help, OfACommandListsItsOptionsInGroups) {
  const RunResult run = RunTilewise("advise --help");
  EXPECT_EQ(run.exit_code, 0);
  for (const std::string word : {"Target:", "Training:", "Rules:", "Output:", "--batch-per-core",
                                 "--fail-on", "default v3"}) {
    EXPECT_THAT(run.out, HasSubstr(word));
  }
}

TEST(Version, IsPrinted) {
  const RunResult run = RunTilewise("--version");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr("tilewise 0."));
}

}  // namespace
}  // namespace tilewise
