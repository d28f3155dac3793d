// `profile` as a user runs it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/run_tilewise.h"
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
