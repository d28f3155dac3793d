// `profile` as a user runs it.

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_tilewise.h"
#include "tests/profile/wire_text.h"
#include "tests/support/checked_by_python.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

constexpr char kTimeline[] = R"({"traceEvents":[
  {"ph":"M","pid":1,"name":"process_name","args":{"name":"/job:a/cpu:0 Compute"}},
  {"ph":"X","cat":"Op","pid":1,"tid":0,"ts":1500000000000000,"dur":90,"name":"QueueDequeueManyV2",
   "args":{"name":"batch/fifo_queue_DequeueMany","op":"QueueDequeueManyV2"}},
  {"ph":"X","cat":"Op","pid":1,"tid":0,"ts":1500000000000090,"dur":10,"name":"MatMul",
   "args":{"name":"dense/MatMul","op":"MatMul"}}]})";

TEST(ProfileCommand, NamesTheRuleOfAStarvedQueue) {
  const TemporaryFolder folder;
  const RunResult run = RunTilewise("profile " + folder.Write("timeline.json", kTimeline));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("starved by the input queue"));
  EXPECT_THAT(run.out, HasSubstr("IP021 legacy-queue-input"));
}

TEST(ProfileCommand, ReadsTheTraceThatSimulateWrites) {
  const TemporaryFolder folder;
  const std::string trace = folder.path("step.json");
  ASSERT_EQ(RunTilewise("simulate zoo:mlp --chip v4 --trace " + trace).exit_code, 0);
  const RunResult run = RunTilewise("profile " + trace + " zoo:mlp --chip v4");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("trace of tilewise simulate"));
  EXPECT_THAT(run.out, HasSubstr("measured beside simulated"));
}

// A TPU that runs a program of one matmul for 1 ms, and 3 ms later again.
std::string WaitingTrace() {
  std::string events = R"j({"traceEvents":[
    {"ph":"M","pid":3,"name":"process_name","args":{"name":"/device:TPU:0"}},
    {"ph":"M","pid":3,"tid":2,"name":"thread_name","args":{"name":"XLA Modules"}},
    {"ph":"M","pid":3,"tid":3,"name":"thread_name","args":{"name":"XLA Ops"}})j";
  for (int i = 0; i < 10; ++i) {
    const std::string at = std::to_string(1000 + i * 4000);
    events += R"j(,{"ph":"X","pid":3,"tid":2,"ts":)j" + at + R"j(,"dur":1000,"name":"jit_f(7)"})j";
    events += R"j(,{"ph":"X","pid":3,"tid":3,"ts":)j" + at +
              R"j(,"dur":1000,"name":"dot.1","args":{"hlo_category":"convolution fusion"}})j";
  }
  return events + "]}";
}

double StepSeconds(const std::string& command) {
  const RunResult run = RunTilewise(command + " --format json");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return nlohmann::json::parse(run.out)["step"]["device_seconds"];
}

TEST(ProfileCommand, FindsTheNumbersOfSimulateInItsTrace) {
  const TemporaryFolder folder;
  const std::string trace = folder.path("step.json");
  // Collectives beside kernels, which nothing hides at the end of the step.
  const std::string program = "zoo:resnet50 --chip v4 --batch 256";
  ASSERT_EQ(RunTilewise("simulate " + program + " --trace " + trace).exit_code, 0);
  const RunResult run = RunTilewise("profile --format json " + trace + " " + program);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto rows = nlohmann::json::parse(run.out)["measured_beside_simulated"];
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    const double simulated = row["simulated"];
    EXPECT_NEAR(row["measured"].get<double>(), simulated, 1e-3 * simulated) << row.dump();
  }
  EXPECT_NEAR(rows[0]["measured"].get<double>(), StepSeconds("simulate " + program), 1e-5);
}

TEST(ProfileCommand, OfTheUsersMachineNarrowsTheRangeOfPredictions) {
  const TemporaryFolder folder;
  const std::string trace = folder.path("step.json");
  const std::string chip = folder.path("mine.txtpb");
  const std::string program = "zoo:resnet50 --batch 256 --chip ";
  ASSERT_EQ(RunTilewise("simulate " + program + "v4 --trace " + trace).exit_code, 0);
  ASSERT_EQ(RunTilewise("profile " + trace + " " + program + "v4 --calibrate " + chip).exit_code,
            0);
  const auto width = [&](const std::string& on) {
    const RunResult run = RunTilewise("simulate " + program + on + " --format json");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const auto step = nlohmann::json::parse(run.out)["step"];
    return step["device_seconds_high"].get<double>() - step["device_seconds_low"].get<double>();
  };
  EXPECT_LT(width(chip), 0.1 * width("v4"));
  for (const std::string command : {"simulate ", "advise "}) {
    EXPECT_THAT(RunTilewise(command + program + chip).out,
                HasSubstr("by a profile of this machine"));
  }
}

TEST(ProfileCommand, OpensTheFolderOfARunAndTakesEachHostOnce) {
  const TemporaryFolder folder;
  const std::string trace = WaitingTrace();
  for (const char* run : {"run_1", "run_2"}) {
    const auto path = std::filesystem::path(folder.path("logs")) / "plugins/profile" / run;
    std::filesystem::create_directories(path);
    for (const char* name : {"a.trace.json", "b.trace.json", "perfetto_trace.json"}) {
      std::ofstream(path / name) << trace;
    }
  }
  const RunResult run = RunTilewise("profile --chip v4 " + folder.path("logs"));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("holds 2 runs: the latest one is read, run_2"));
  EXPECT_THAT(run.out, HasSubstr("perfetto_trace.json is left out"));
  EXPECT_THAT(run.out, testing::ContainsRegex("devices +2\n"));
}

std::string XSpaceOf(std::string_view device_type) {
  Wire ops;
  ops.Number(1, 2).Text(2, "XLA Ops");
  ops.Add(4, Wire().Number(1, 2).Number(2, 0).Number(3, 800'000));
  Wire plane;
  plane.Number(1, 1).Text(2, "/device:TPU:0").Add(3, ops);
  plane.Entry(4, 2, Wire().Number(1, 2).Text(2, "fusion.1"));
  plane.Entry(5, 3, Wire().Number(1, 3).Text(2, "device_type_string"));
  plane.Add(6, Wire().Number(1, 3).Text(5, device_type));
  return Wire().Add(1, plane).bytes();
}

TEST(ProfileCommand, RefusesFilesOfTwoMachines) {
  const TemporaryFolder folder;
  const RunResult run = RunTilewise("profile " + folder.Write("a.xplane.pb", XSpaceOf("TPU v4")) +
                                    " " + folder.Write("b.xplane.pb", XSpaceOf("TPU v3")));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("found profiles of TPU v3 and TPU v4"));
}

TEST(ProfileCommand, WritesTheChipThatItMeasured) {
  const TemporaryFolder folder;
  const std::string trace = folder.path("step.json");
  const std::string chip = folder.path("mine.txtpb");
  ASSERT_EQ(RunTilewise("simulate zoo:gemm --chip v4 --trace " + trace).exit_code, 0);
  const RunResult run = RunTilewise("profile " + trace + " zoo:gemm --chip v4 --calibrate " + chip);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(RunTilewise("simulate zoo:gemm --chip " + chip).exit_code, 0);
  EXPECT_EQ(RunTilewise("profile " + trace + " zoo:gemm --calibrate mine.csv").exit_code, 2);
}

TEST(ProfileCommand, WritesTheHostBesideTheChip) {
  const TemporaryFolder folder;
  const std::string trace = folder.Write("waits.json", WaitingTrace());
  const std::string chip = folder.path("mine.txtpb");
  const RunResult run = RunTilewise("profile " + trace + " zoo:gemm --chip v4 --calibrate " + chip);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("the device waits for the host"));
  const RunResult hosts = RunTilewise("simulate zoo:gemm --chip " + chip);
  EXPECT_EQ(hosts.exit_code, 0) << hosts.err;
  EXPECT_THAT(hosts.out, HasSubstr("mine-host host"));
}

TEST(ProfileCommand, TakesALogBesideAProfile) {
  const TemporaryFolder folder;
  const std::string log =
      folder.Write("run.log", "Metric: CompileTime\n  TotalSamples: 3\n  Accumulator: 02s000ms\n");
  const RunResult run =
      RunTilewise("profile " + folder.Write("timeline.json", kTimeline) + " " + log);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("starved by the input queue"));
  EXPECT_THAT(run.out, HasSubstr("CompileTime"));
}

TEST(ProfileCommand, FollowsItsSchema) {
  if (!HasSchemaValidator()) GTEST_SKIP() << "no python3-jsonschema";
  const TemporaryFolder folder;
  const RunResult run =
      RunTilewise("profile --format json " + folder.Write("timeline.json", kTimeline));
  EXPECT_TRUE(FollowsSchema(run.out, TILEWISE_SOURCE_DIR "/docs/schema/profile.schema.json"))
      << run.out;
  const RunResult log =
      RunTilewise("profile --format json " +
                  folder.Write("run.log",
                               "Metric: CompileTime\n  TotalSamples: 3\n  Accumulator: 02s000ms\n"
                               "completed step: 0, seconds: 9.0, TFLOP/s/device: 1.0, loss: 2\n"
                               "completed step: 1, seconds: 2.0, TFLOP/s/device: 9.0, loss: 2\n"
                               "completed step: 2, seconds: 2.0, TFLOP/s/device: 9.0, loss: 2\n"));
  EXPECT_TRUE(FollowsSchema(log.out, TILEWISE_SOURCE_DIR "/docs/schema/profile.schema.json"))
      << log.out << log.err;
}

TEST(ProfileCommand, SaysWhatItCannotRead) {
  const TemporaryFolder folder;
  const RunResult text = RunTilewise("profile " + folder.Write("a.txt", "nothing"));
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_THAT(text.err, HasSubstr("no format that is known"));
  const RunResult none = RunTilewise("profile " + folder.path("absent.json"));
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("no readable file"));
}

}  // namespace
}  // namespace tilewise
