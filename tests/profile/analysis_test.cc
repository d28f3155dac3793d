// What a profile is said to mean: steps, parts, verdict, rules.

#include "profile/analysis/analysis.h"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profile/read_profile.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

ProfileAnalysis Analysed(const std::string& trace) {
  const absl::StatusOr<Profile> profile = ReadProfileBytes(trace, "timeline.json");
  EXPECT_TRUE(profile.ok()) << profile.status();
  return profile.ok() ? Analyse(*profile) : ProfileAnalysis{};
}

bool Advises(const ProfileAnalysis& analysis, std::string_view rule) {
  return std::ranges::any_of(analysis.advice,
                             [&](const Diagnostic& finding) { return finding.rule == rule; });
}

// A timeline in TensorFlow's form of a step whose reader has `threads` threads:
// 32 elements of 10 ms each, 30 ms of computing on the GPU.
std::string QueueTimeline(int threads) {
  const int wait = std::max(320 / threads - 30, 0);  // what prefetching cannot hide
  std::string events = R"({"traceEvents":[
    {"ph":"M","pid":1,"name":"process_name","args":{"name":"/job:a/cpu:0 Compute"}},
    {"ph":"M","pid":3,"name":"process_name","args":{"name":"/gpu:0/stream:all Compute"}})";
  const auto add = [&](int process, int thread, int start_ms, int ms, std::string_view op,
                       std::string_view node) {
    events += fmt::format(
        ",\n{{\"ph\":\"X\",\"cat\":\"Op\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},"
        "\"name\":\"{}\",\"args\":{{\"name\":\"{}\",\"op\":\"{}\"}}}}",
        process, thread, 1'500'000'000'000'000 + int64_t{start_ms} * 1000, ms * 1000 + 1, op, node,
        op);
  };
  add(1, 0, 0, wait, "QueueDequeueManyV2", "batch/fifo_queue_DequeueMany");
  for (int i = 0; i < 32; ++i) {
    add(1, 1 + i % threads, i / threads * 10, 9, "DecodeJpeg", fmt::format("decode_{}", i));
  }
  add(3, 0, wait, 20, "Conv2D", "conv1/Conv2D");
  add(3, 0, wait + 20, 10, "Relu", "conv1/Relu");
  return events + "]}";
}

TEST(Verdict, TellsAStarvedQueueFromASlowOp) {
  const ProfileAnalysis analysis = Analysed(QueueTimeline(1));
  EXPECT_EQ(analysis.verdict.kind, VerdictKind::kInputBound);
  EXPECT_THAT(analysis.verdict.sentence, HasSubstr("starved by the input queue"));
  EXPECT_THAT(analysis.verdict.sentence, HasSubstr("batch/fifo_queue_DequeueMany"));
  ASSERT_TRUE(Advises(analysis, "IP021"));
  EXPECT_THAT(analysis.advice[0].message, HasSubstr("the longest stage is DecodeJpeg"));
}

TEST(Verdict, OfAReaderWithEnoughThreadsHasNoSuchFinding) {
  const ProfileAnalysis analysis = Analysed(QueueTimeline(32));
  EXPECT_NE(analysis.verdict.kind, VerdictKind::kInputBound);
  EXPECT_FALSE(Advises(analysis, "IP021"));
  EXPECT_FALSE(Advises(analysis, "IP022"));
}

// Runs of a program of `busy` us every `period` us, half of each in a matmul.
std::string TpuTrace(int busy, int period, const std::string& more = "") {
  std::string events = R"j({"traceEvents":[
    {"ph":"M","pid":3,"name":"process_name","args":{"name":"/device:TPU:0",
      "peak_teraflops_per_second":100,"peak_hbm_bw_gigabytes_per_second":1000}},
    {"ph":"M","pid":3,"tid":2,"name":"thread_name","args":{"name":"XLA Modules"}},
    {"ph":"M","pid":3,"tid":3,"name":"thread_name","args":{"name":"XLA Ops"}},
    {"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}})j";
  for (int i = 0; i < 10; ++i) {
    events += fmt::format(
        R"j(,{{"ph":"X","pid":3,"tid":2,"ts":{0},"dur":{1},"name":"jit_f(7)"}}
           ,{{"ph":"X","pid":3,"tid":3,"ts":{0},"dur":{2},"name":"fusion.1",
              "args":{{"hlo_category":"convolution fusion","flops":"5e9","bytes_accessed":"1e6"}}}}
           ,{{"ph":"X","pid":3,"tid":3,"ts":{3},"dur":{2},"name":"copy.2",
              "args":{{"hlo_category":"data formatting","bytes_accessed":"2e7"}}}})j",
        1000 + i * period, busy, busy / 2, 1000 + i * period + busy / 2);
  }
  return events + more + "]}";
}

TEST(Steps, AreRunsOfTheProgramThatRunsLongest) {
  const ProfileAnalysis analysis = Analysed(TpuTrace(100, 100));
  EXPECT_EQ(analysis.steps.source, "runs of jit_f");
  EXPECT_EQ(analysis.steps.device.count, 10);
  EXPECT_NEAR(analysis.steps.device.mean.value, 100e-6, 1e-12);
  EXPECT_NEAR(analysis.ShareOf(StepPartKind::kMatmul), 0.5, 1e-9);
  EXPECT_NEAR(*analysis.mxu_use, 0.5, 1e-9);
  EXPECT_NEAR(analysis.ops[0].peak_share, 1.0, 1e-9);
  EXPECT_EQ(analysis.ops[0].bound, "MXU");
  EXPECT_TRUE(Advises(analysis, "LY002"));
}

TEST(Verdict, OfGapsBetweenProgramsIsHostBound) {
  const ProfileAnalysis analysis = Analysed(TpuTrace(100, 200));
  EXPECT_EQ(analysis.verdict.kind, VerdictKind::kHostBound);
  EXPECT_TRUE(Advises(analysis, "HL008"));
}

TEST(Verdict, OfGapsInWhichTheHostFetchesIsInputBound) {
  std::string fetches;
  for (int i = 0; i < 10; ++i) {
    fetches +=
        fmt::format(R"(,{{"ph":"X","pid":701,"tid":1,"ts":{},"dur":90,"name":"IteratorGetNext"}})",
                    1105 + i * 200);
  }
  const ProfileAnalysis analysis = Analysed(TpuTrace(100, 200, fetches));
  EXPECT_EQ(analysis.verdict.kind, VerdictKind::kInputBound);
  EXPECT_TRUE(Advises(analysis, "IP022"));
}

TEST(Advice, NamesCompilationsInTheMiddle) {
  const ProfileAnalysis analysis = Analysed(
      TpuTrace(100, 200,
               R"(,{"ph":"X","pid":701,"tid":1,"ts":1300,"dur":90,"name":"TfrtTpuCompiler::Compile"}
         ,{"ph":"X","pid":701,"tid":1,"ts":1701,"dur":90,"name":"TfrtTpuCompiler::Compile"})"));
  ASSERT_TRUE(Advises(analysis, "CO004"));
  EXPECT_GT(analysis.ShareOf(StepPartKind::kCompile), 0.05);
}

TEST(Verdict, OfCopiesToTheHostIsTransferBound) {
  const ProfileAnalysis analysis = Analysed(R"j({"traceEvents":[
    {"ph":"M","pid":3,"name":"process_name","args":{"name":"/device:TPU:0"}},
    {"ph":"M","pid":3,"tid":3,"name":"thread_name","args":{"name":"XLA Ops"}},
    {"ph":"X","pid":3,"tid":3,"ts":0,"dur":90,"name":"copy-done.2","args":{
      "hlo_category":"copy-done",
      "long_name":"%copy-done.2 = f32[1024]{0:T(1024)S(5)} copy-done()"}},
    {"ph":"X","pid":3,"tid":3,"ts":90,"dur":10,"name":"add.1","args":{
      "hlo_category":"loop fusion"}}]})j");
  EXPECT_EQ(analysis.verdict.kind, VerdictKind::kTransferBound);
  ASSERT_FALSE(analysis.waits.empty());
  EXPECT_THAT(analysis.waits[0].for_what, HasSubstr("host memory of 4.00 KiB"));
}

TEST(Advice, OfAGpuIsNotThatOfATpu) {
  const ProfileAnalysis analysis = Analysed(
      R"j({"traceEvents":[
        {"ph":"M","pid":3,"name":"process_name","args":{"name":"/device:GPU:0"}},
        {"ph":"M","pid":3,"tid":2,"name":"thread_name","args":{"name":"XLA Modules"}},
        {"ph":"M","pid":3,"tid":3,"name":"thread_name","args":{"name":"XLA Ops"}},
        {"ph":"X","pid":3,"tid":2,"ts":0,"dur":50,"name":"jit_f(7)"},
        {"ph":"X","pid":3,"tid":3,"ts":0,"dur":50,"name":"copy.1",
         "args":{"hlo_category":"data formatting"}},
        {"ph":"X","pid":3,"tid":2,"ts":100,"dur":50,"name":"jit_f(7)"},
        {"ph":"X","pid":3,"tid":3,"ts":100,"dur":50,"name":"copy.1",
         "args":{"hlo_category":"data formatting"}}]})j");
  EXPECT_EQ(analysis.hardware, Hardware::kGpu);
  EXPECT_TRUE(analysis.advice.empty()) << analysis.advice.front().message;
  EXPECT_THAT(analysis.notes, ::testing::Contains(HasSubstr("This is a profile of a GPU")));
}

TEST(OpClasses, AreToldByCategoryTypeOrName) {
  EXPECT_EQ(ClassOf({.name = "fusion.3", .kind = "convolution fusion"}), ProfileOpClass::kMatmul);
  EXPECT_EQ(ClassOf({.name = "all-reduce.1", .kind = "all-reduce"}), ProfileOpClass::kCollective);
  EXPECT_EQ(ClassOf({.name = "while.2", .kind = "while"}), ProfileOpClass::kContainer);
  EXPECT_EQ(ClassOf({.name = "q", .kind = "QueueDequeueManyV2"}), ProfileOpClass::kInfeed);
  EXPECT_EQ(ClassOf({.name = "copy-done", .kind = "copy-done"}), ProfileOpClass::kCopy);
  EXPECT_EQ(LargestArrayBytes("(bf16[4,8]{1,0}, f32[2])"), 64);
}

TEST(TimeSpans, AreCutAndJoined) {
  const TimeSpans a = {{0, 10}, {20, 30}};
  const TimeSpans b = {{5, 25}};
  EXPECT_EQ(LengthOf(Both(a, b)), 10);
  EXPECT_EQ(LengthOf(Without(a, b)), 10);
  TimeSpans mixed = {{5, 9}, {0, 6}, {9, 12}};
  Normalize(mixed);
  ASSERT_EQ(mixed.size(), 1u);
  EXPECT_EQ(mixed[0].end, 12);
}

}  // namespace
}  // namespace tilewise
