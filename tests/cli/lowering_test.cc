// What a user sees of the lowering: passes left out, the program after every
// pass, programs read back, the trace.

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

constexpr char kModel[] = "zoo:mlp --chip v3 --batch 1024 ";

std::string Contents(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

nlohmann::json Report(const std::string& arguments) {
  const RunResult run = RunTilewise("simulate " + arguments + " --format json");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return nlohmann::json::parse(run.out, nullptr, false);
}

nlohmann::json Step(const std::string& arguments) { return Report(arguments)["step"]; }

TEST(DisablePass, MakesTheStepSlowerAndNotWrong) {
  const double fused = Step(kModel)["device_seconds"];
  const double apart = Step(std::string(kModel) + "--disable-pass fuse")["device_seconds"];
  EXPECT_GT(apart, fused);
}

TEST(DisablePass, NamesThePassesThatMayBe) {
  const RunResult run = RunTilewise("simulate zoo:mlp --disable-pass partition");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("simplify, quantize, fuse, schedule or rematerialize"));
}

TEST(DumpLowering, WritesAFilePerPassAndTheLastOneSimulatesTheSame) {
  const TemporaryFolder folder;
  const std::string dump = folder.path("dump");
  const nlohmann::json step = Step(kModel + ("--dump-lowering " + dump));
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dump)) {
    files += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_EQ(files, 13u);
  EXPECT_THAT(Contents(dump + "/00_source.txt"), HasSubstr("graph"));
  const nlohmann::json again = Step(dump + "/12_rematerialize.txt");
  EXPECT_EQ(again, step);
  const RunResult estimate = RunTilewise("estimate " + dump + "/12_rematerialize.txt");
  EXPECT_EQ(estimate.exit_code, 0) << estimate.err;
  EXPECT_THAT(estimate.out, HasSubstr("v3"));
}

TEST(DumpLowering, ReadsOnlyProgramsThatHaveTheirBuffers) {
  const TemporaryFolder folder;
  const std::string dump = folder.path("dump");
  Step(kModel + ("--dump-lowering " + dump));
  const RunResult early = RunTilewise("simulate " + dump + "/07_fuse.txt");
  EXPECT_EQ(early.exit_code, 2);
  EXPECT_THAT(early.err, HasSubstr("found a program after fuse"));
  const RunResult other = RunTilewise("simulate " + dump + "/12_rematerialize.txt --chip v4");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("expected v3"));
  const RunResult batch = RunTilewise("simulate " + dump + "/12_rematerialize.txt --batch 8");
  EXPECT_EQ(batch.exit_code, 2);
  EXPECT_THAT(batch.err, HasSubstr("found --batch"));
}

TEST(DumpLowering, SaysWhatCannotBeWritten) {
  const RunResult run = RunTilewise("simulate zoo:mlp --dump-lowering /proc/nowhere");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("/proc/nowhere"));
}

TEST(Memory, SaysWhatWouldMakeItFit) {
  const RunResult run =
      RunTilewise("simulate zoo:mlp --chip v3 --batch-per-core 524288 --format json");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const auto memory = nlohmann::json::parse(run.out, nullptr, false)["memory"];
  EXPECT_FALSE(memory["fits"]);
  int64_t at_peak = 0;
  for (const char* use :
       {"input", "variable", "optimizer_state", "activation", "gradient", "temporary"}) {
    at_peak += memory["at_peak"][std::string(use) + "_bytes"].get<int64_t>();
  }
  // The peak is what recomputation reaches; its parts are those before.
  const auto again_from = memory.find("rematerialization");
  EXPECT_EQ(at_peak, again_from == memory.end() ? memory["hbm_peak_bytes"]
                                                : (*again_from)["hbm_peak_without_bytes"]);
  const auto& smaller = memory["ways_to_fit"].back();
  EXPECT_TRUE(smaller["fits"]);
  const RunResult again = RunTilewise(
      "simulate zoo:mlp --chip v3 --batch-per-core " +
      std::to_string(smaller["batch_per_core_examples"].get<int64_t>()) + " --format json");
  EXPECT_EQ(nlohmann::json::parse(again.out)["memory"]["hbm_peak_bytes"],
            smaller["hbm_peak_bytes"]);
}

TEST(Memory, RematTradesTimeForMemory) {
  const std::string model = "zoo:mlp --chip v3 --batch 65536 ";
  const auto kept = Report(model + "--remat none");
  const auto again = Report(model + "--remat full");
  EXPECT_LT(again["memory"]["hbm_peak_bytes"], kept["memory"]["hbm_peak_bytes"]);
  EXPECT_GT(again["step"]["device_seconds"], kept["step"]["device_seconds"]);
}

// Parts of the batch one after the other: fewer activations at a time.
TEST(Memory, AccumulationTakesLess) {
  const std::string model = "zoo:mlp --chip v3 --batch 65536 ";
  const auto whole = Report(model);
  const auto parts = Report(model + "--gradient-accumulation 4");
  EXPECT_LT(parts["memory"]["hbm_peak_bytes"], whole["memory"]["hbm_peak_bytes"]);
  EXPECT_GT(parts["step"]["device_seconds"], whole["step"]["device_seconds"]);
  const RunResult uneven =
      RunTilewise("simulate zoo:mlp --batch-per-core 8 --gradient-accumulation 3");
  EXPECT_EQ(uneven.exit_code, 2);
  EXPECT_THAT(uneven.err, HasSubstr("found 3 accumulation steps of a batch of "
                                    "8 per core, expected a divisor"));
}

TEST(Memory, AccumulationIsOfTraining) {
  const RunResult run = RunTilewise("simulate zoo:mlp --infer --gradient-accumulation 2");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("found --gradient-accumulation with --infer, "
                                 "expected a model to train"));
}

TEST(Memory, AccumulationIsTunedInWholeParts) {
  const RunResult run = RunTilewise(
      "tune zoo:mlp --chip v3 --max-global-batch 4096 --gradient-accumulation "
      "3 --format json");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const auto report = nlohmann::json::parse(run.out, nullptr, false);
  EXPECT_EQ(report["setting"]["batch_per_core_examples"], 129);
}

TEST(Memory, RematNamesWhatTheModelDoesNotMake) {
  const RunResult run =
      RunTilewise("simulate zoo:mlp --chip v3 --batch 64 --remat full,mlpwo=save");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out + run.err, HasSubstr("found mlpwo in the rematerialisation policy"));
}

TEST(Trace, IsWrittenBesideTheReport) {
  const TemporaryFolder folder;
  const std::string path = folder.path("trace.json");
  const RunResult run = RunTilewise("simulate " + (kModel + ("--trace " + path)));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("What the time of a step is spent on"));
  const auto trace = nlohmann::json::parse(Contents(path), nullptr, false);
  ASSERT_FALSE(trace.is_discarded());
  EXPECT_GT(trace["traceEvents"].size(), 20u);
}

}  // namespace
}  // namespace tilewise
