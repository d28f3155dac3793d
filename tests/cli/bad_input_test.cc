// Bad input ends in one clear message with file and reason and exit code 2, in
// bounded time and memory, and never in a crash.

#include <chrono>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// The address sanitizer reserves terabytes of address space for itself.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kLimitsMemory = false;
#else
constexpr bool kLimitsMemory = true;
#endif
// 3 GB of address space and 30 s of processor time.
constexpr const char* kLimits =
    kLimitsMemory ? "ulimit -v 3000000; ulimit -t 30;" : "ulimit -t 60;";

// Lines that help with an error are indented.
bool IsOneLineWithHelp(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    if (!line.starts_with("  ")) return false;
  }
  return text.ends_with('\n');
}

// What all failures have in common; returns the message for the rest.
std::string FailureOf(const std::string& arguments, const std::string& before = "") {
  const RunResult run = RunTilewise(arguments, before);
  EXPECT_EQ(run.exit_code, 2) << arguments << "\n" << run.err;
  EXPECT_THAT(run.err, StartsWith("tilewise: error: "));
  EXPECT_TRUE(IsOneLineWithHelp(run.err)) << run.err;
  EXPECT_EQ(run.out, "");
  return run.err;
}

struct BadFile {
  std::string name;
  std::string text;
};

void PrintTo(const BadFile& file, std::ostream* out) { *out << file.name; }

class BadFileTest : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadFileTest, IsOneMessageThatNamesTheFile) {
  const TemporaryFolder folder;
  const std::string path = folder.Write(GetParam().name, GetParam().text);
  for (const std::string command : {"advise ", "lint ", "simulate "}) {
    EXPECT_THAT(FailureOf(command + path, kLimits), HasSubstr(path));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Inputs, BadFileTest,
    ::testing::Values(BadFile{"empty.json", ""}, BadFile{"empty.py", ""},
                      BadFile{"truncated.json", std::string(kSmallModel.substr(0, 200))},
                      BadFile{"not_json.json", "this is not json"},
                      BadFile{"zeros.json", std::string(4096, '\0')},
                      BadFile{"array.json", "[1, 2, 3]"}, BadFile{"number.json", "17"},
                      BadFile{"layers_is_a_number.json",
                              R"({"class_name": "Sequential", "config": {"layers": 5}})"},
                      BadFile{"units_is_a_list.json",
                              R"({"class_name": "Sequential", "config": {"name": "m",
 "layers": [{"class_name": "Dense", "config": {"name": "d", "units": [3],
  "batch_input_shape": [null, 8]}}]}})"},
                      BadFile{"units_is_huge.json",
                              R"({"class_name": "Sequential", "config": {"name": "m",
 "layers": [{"class_name": "Dense", "config": {"name": "d",
  "units": 9000000000000000000, "batch_input_shape": [null, 8]}}]}})"},
                      BadFile{"cycle.json",
                              R"({"class_name": "Functional", "config": {"name": "m",
 "layers": [
  {"class_name": "InputLayer", "name": "x", "config": {"name": "x",
   "batch_input_shape": [null, 8]}, "inbound_nodes": []},
  {"class_name": "Add", "name": "a", "config": {"name": "a"},
   "inbound_nodes": [[["x", 0, 0, {}], ["b", 0, 0, {}]]]},
  {"class_name": "ReLU", "name": "b", "config": {"name": "b"},
   "inbound_nodes": [[["a", 0, 0, {}]]]}],
 "input_layers": [["x", 0, 0]], "output_layers": [["b", 0, 0]]}})"},
                      BadFile{"deep.json", std::string(100000, '[')}),
    [](const auto& test) {
      std::string name = test.param.name;
      for (char& c : name) {
        if (c == '.') c = '_';
      }
      return name;
    });

TEST(BadInput, UnknownFilesAreToldWhatToExportALineForEachFramework) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("unknown.bin", "\x7f\x02\x01\x01");
  const RunResult run = RunTilewise("inspect " + path, kLimits);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err,
              StartsWith("tilewise: error: " + path + ": found an unknown format, expected "));
  EXPECT_THAT(run.err, HasSubstr("\n  JAX          mlir         open('step.mlir', 'w')"));
  EXPECT_THAT(run.err, HasSubstr("\n  formats: notebook, keras-json, "));
  std::istringstream lines(run.err);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) EXPECT_LE(line.size(), 100U) << line;
}

TEST(BadInput, MissingFileIsNamed) {
  EXPECT_THAT(FailureOf("advise /nowhere/train.py"), HasSubstr("/nowhere/train.py"));
}

TEST(BadInput, DirectoryIsNamedAsSuch) {
  const TemporaryFolder folder;
  EXPECT_THAT(FailureOf("advise " + folder.path("")), HasSubstr("directory"));
}

TEST(BadInput, TwoHundredMegabytesOfBracketsEndSoon) {
  const TemporaryFolder folder;
  const std::string path = folder.path("brackets.json");
  {
    std::ofstream file(path, std::ios::binary);
    const std::string chunk(1 << 20, '[');
    for (int i = 0; i < 200; ++i) file << chunk;
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(FailureOf("advise " + path, kLimits), HasSubstr(path));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(BadInput, RefusedMemoryIsAMessage) {
  if (!kLimitsMemory) GTEST_SKIP() << "the sanitizer needs the memory";
  const TemporaryFolder folder;
  const std::string path = folder.path("large.json");
  std::ofstream(path, std::ios::binary) << std::string(100 << 20, '[');
  const RunResult run = RunTilewise("advise " + path, "ulimit -v 120000;");
  EXPECT_EQ(run.exit_code, 2) << run.err;
}

TEST(BadInput, UnknownChipListsTheKnownOnes) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("m.json", kSmallModel);
  const std::string message = FailureOf("advise --chip v33 " + path);
  EXPECT_THAT(message, HasSubstr("found chip 'v33', expected one of v2"));
  EXPECT_THAT(message, HasSubstr("did you mean 'v3'?"));
}

TEST(BadInput, AliasOfAChipIsNotBad) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("m.json", kSmallModel);
  EXPECT_EQ(RunTilewise("lint --chip trillium --fail-on never " + path).out,
            RunTilewise("lint --chip v6e --fail-on never " + path).out);
}

TEST(BadInput, WordsThatSelectNoRuleNameTheirOption) {
  EXPECT_THAT(FailureOf("lint m.json --select IP0"),
              HasSubstr("--select: found rule 'IP0', expected an id"));
  EXPECT_THAT(FailureOf("lint m.json --ignore ZZ"), HasSubstr("--ignore: "));
}

TEST(BadInput, NumbersOutsideTheirRangeNameTheOptionAndTheRange) {
  for (const std::string value :
       {"0", "-8", "1000000000000", "8.5", "many", "99999999999999999999", "''"}) {
    const std::string message = FailureOf("advise m.json --batch " + value);
    EXPECT_THAT(message, HasSubstr("--batch")) << value;
    EXPECT_THAT(message, HasSubstr("expected a whole number from 1 to 16,777,216")) << value;
  }
  EXPECT_THAT(FailureOf("advise m.json --cores 0"), HasSubstr("--cores"));
}

TEST(BadInput, ExclusiveOptionsAreSaidToBe) {
  EXPECT_THAT(FailureOf("advise m.json --batch 8 --batch-per-core 1"), HasSubstr("--batch"));
  EXPECT_THAT(FailureOf("advise m.json --train --infer"), HasSubstr("--infer"));
}

TEST(BadInput, AnOptionIsNoValueOfTheOneBefore) {
  EXPECT_THAT(FailureOf("lint m.json --write-baseline --baseline f"),
              HasSubstr("--write-baseline: found the option '--baseline', expected a value"));
  EXPECT_THAT(FailureOf("lint m.json --output --format=json"),
              HasSubstr("--output: found the option '--format=json'"));
  EXPECT_THAT(FailureOf("advise --chip --batch 8 m.json"), HasSubstr("--chip: found the option"));
  const TemporaryFolder folder;
  const std::string path = folder.Write("m.json", kSmallModel);
  EXPECT_EQ(RunTilewise("diff " + path + " " + path + " --new=--infer").exit_code, 0);
}

TEST(BadInput, MisspeltWordsGetASuggestion) {
  EXPECT_THAT(FailureOf("advice train.py"), HasSubstr("did you mean 'advise'"));
  EXPECT_THAT(FailureOf("explain prefetch-not-lats"),
              HasSubstr("did you mean 'prefetch-not-last'"));
  EXPECT_THAT(FailureOf("list chip"), HasSubstr("did you mean 'chips'"));
  EXPECT_THAT(FailureOf("lint m.json --format jsno"), HasSubstr("did you mean 'json'"));
  EXPECT_THAT(FailureOf("lint m.json --optimizer adm"), HasSubstr("did you mean 'adam'"));
  EXPECT_THAT(FailureOf("lint m.json --select IP0022"), HasSubstr("did you mean 'IP002'"));
  EXPECT_THAT(FailureOf("list rules --format jsn"), HasSubstr("did you mean 'json'"));
}

TEST(BadInput, NoArgumentsSayWhatToDo) {
  EXPECT_THAT(FailureOf(""), HasSubstr("tilewise --help"));
  EXPECT_THAT(FailureOf("advise"), HasSubstr("FILE"));
  EXPECT_THAT(FailureOf("advise m.json --no-such-option"), HasSubstr("--no-such-option"));
}

TEST(BadInput, ABatchTooLargeForTheTensorsIsAMessage) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("m.json", R"({
 "class_name": "Sequential", "config": {"name": "m", "layers": [
  {"class_name": "Dense", "config": {"name": "d", "units": 8,
   "batch_input_shape": [null, 100000000]}}]}})");
  const RunResult run = RunTilewise("simulate --batch 16777216 --cores 1 " + path, kLimits);
  EXPECT_EQ(run.exit_code, 2) << run.err;
}

TEST(BadInput, ARunThatNeedsMoreMemoryThanItsLimitEndsWithOneLine) {
  if (!kLimitsMemory) GTEST_SKIP() << "the sanitizer needs more";
  const std::string path = testing::TempDir() + "program.py";
  std::ofstream(path) << "import tensorflow as tf\nds = tf.data.Dataset.range(9).batch(4)\n";
  EXPECT_EQ(FailureOf("lint --max-memory 16 " + path),
            "tilewise: error: stopped at 16 MiB of memory, the limit of --max-memory\n");
}

}  // namespace
}  // namespace tilewise
