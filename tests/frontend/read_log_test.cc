// Reports in logs of several frameworks and releases: what is read of them.

#include "frontend/logs/read_log.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/logs/log_text.h"

namespace tilewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Workload Read(const std::string& text) {
  const InputFile file = {"run.log", text};
  EXPECT_TRUE(LooksLikeLog(file));
  absl::StatusOr<Workload> read = ReadLog(file, {});
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? *std::move(read) : Workload{};
}

std::string Totals(const MemoryReport& r) {
  return fmt::format("{} of {} of {}, {} over; reserved {} program {} args {} temp {}/{}",
                     FormatBytes(r.used), FormatBytes(r.capacity), r.space, FormatBytes(r.exceeded),
                     FormatBytes(r.reserved), FormatBytes(r.program), FormatBytes(r.arguments),
                     FormatBytes(r.temporaries_unpadded), FormatBytes(r.temporaries));
}

// As JAX prints it.
constexpr char kJax[] =
    R"(jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space hbm. Used 63.80G of 30.75G hbm. Exceeded hbm capacity by 33.05G.

Total hbm usage >= 65.05G:
    reserved          1.25G
    program          63.80G
    arguments         512.0K

Output size 0B; shares 0B with arguments.

Program hbm requirement 63.80G:
    global            1.14M
    HLO temp         63.79G (100.0% utilization: Unpadded (60.00G) Padded (63.58G), 0.3% fragmentation (210.89M))

  Largest program allocations in hbm:

  1. Size: 2.00G
     Operator: op_name="jit(step)/attention/...qhd,...khd->...hqk" source_file="/home/a/attention.py" source_line=1059
     Shape: f32[32,4096,4096]{1,2,0:T(8,128)}
     Unpadded size: 2.00G
     XLA label: fusion.1265 = fusion(custom-call.224), kind=kOutput
     Allocation type: HLO temp
     ==========================

  2. Size: 64.0K
     Shape: f32[128,6]{1,0}
     Unpadded size: 3.0K
     Extra memory due to padding: 61.0K (21.3x expansion)
     XLA label: reduce.4 = reduce(a)
     Allocation type: scoped
     ==========================
)";

TEST(ReadLog, ReadsTheTotalsOfAReport) {
  const Workload workload = Read(kJax);
  ASSERT_EQ(workload.memory_reports.size(), 1u);
  EXPECT_EQ(Totals(workload.memory_reports[0]),
            "63.8 GiB of 30.8 GiB of hbm, 33.0 GiB over; reserved 1.25 GiB program 63.8 GiB args "
            "512 KiB temp 60.0 GiB/63.8 GiB");
  EXPECT_EQ(workload.memory_reports[0].location.line, 1);
}

TEST(ReadLog, ReadsTheLargestAllocations) {
  const Workload workload = Read(kJax);
  const auto& largest = workload.memory_reports.at(0).largest;
  ASSERT_EQ(largest.size(), 2u);
  EXPECT_EQ(largest[0].operation, "jit(step)/attention/...qhd,...khd->...hqk");
  EXPECT_EQ(FormatLocation(largest[0].source), "/home/a/attention.py:1059");
  EXPECT_EQ(largest[0].shape, "f32[32,4096,4096]{1,2,0:T(8,128)}");
  EXPECT_EQ(largest[0].kind, "HLO temp");
  EXPECT_EQ(largest[0].size.value, int64_t{2} << 30);
  EXPECT_EQ(largest[1].size.value, 64 << 10);
  EXPECT_EQ(largest[1].unpadded.value, 3 << 10);
  EXPECT_EQ(largest[1].label, "reduce.4 = reduce(a)");
}

TEST(ReadLog, ReadsReportsThatWereEscapedIntoOneLine) {
  std::string escaped;
  for (const char c : std::string(kJax)) {
    c == '\n' ? escaped += "\\n" : escaped += c;
  }
  const Workload workload = Read(escaped);
  ASSERT_EQ(workload.memory_reports.size(), 1u);
  EXPECT_EQ(workload.memory_reports[0].largest.size(), 2u);
}

TEST(ReadLog, ReadsReportsBehindPrefixesOfLoggers) {
  std::string prefixed;
  std::string line;
  for (const char c : std::string(kJax)) {
    line += c;
    if (c != '\n') continue;
    prefixed +=
        "2020-05-04 09:05:40.721128: E    1578 tensorflow/compiler/xla/xla_util.cc:76] " + line;
    line.clear();
  }
  const Workload workload = Read(prefixed);
  ASSERT_EQ(workload.memory_reports.size(), 1u);
  EXPECT_EQ(workload.memory_reports[0].largest.size(), 2u);
  EXPECT_EQ(workload.memory_reports[0].largest[0].location.line, 16);
}

TEST(ReadLog, KeepsEqualReportsOnce) {
  EXPECT_EQ(Read(std::string(kJax) + kJax).memory_reports.size(), 1u);
}

TEST(ReadLog, ReadsReportsWithoutAFirstLine) {
  const Workload workload = Read(R"(RuntimeError: Resource exhausted:
Attempting to reserve 3.95G at the bottom of memory. That was not possible.
HBM capacity 8.00G:
       Top-of-Memory reserved:  529.00M (     554,696,704 bytes)

Total hbm usage >= 10.94G:
    reserved(Infeed/Outfeed/Continuations) 529.00M
    program                    4.34G
)");
  ASSERT_EQ(workload.memory_reports.size(), 1u);
  EXPECT_EQ(Totals(workload.memory_reports[0]),
            "10.9 GiB of 8.00 GiB of hbm, 2.94 GiB over; reserved 529 MiB program 4.34 GiB args 0 "
            "B temp 0 B/0 B");
}

TEST(ReadLog, ReadsReportsOfVectorMemory) {
  const Workload workload = Read(
      "Ran out of memory in memory space vmem. Scoped allocation with size 16.50M and limit 16.00M "
      "exceeded scoped vmem limit by 512.0K.\n");
  ASSERT_EQ(workload.memory_reports.size(), 1u);
  EXPECT_EQ(
      Totals(workload.memory_reports[0]),
      "16.5 MiB of 16.0 MiB of vmem, 512 KiB over; reserved 0 B program 0 B args 0 B temp 0 B/0 B");
}

TEST(ReadLog, CountsCompilationsByTheShapesOfArguments) {
  const Workload workload = Read(
      "Compiling jit(f) with global shapes and types [ShapedArray(f32[8]), ShapedArray(s32[])]. "
      "Argument mapping\n"
      "Compiling jit(f) with global shapes and types [ShapedArray(f32[9]), ShapedArray(s32[])]. "
      "Argument mapping\n"
      "Compiling f for with global shapes and types [ShapedArray(f32[9]), ShapedArray(s32[])]. "
      "Argument mapping\n"
      "Compiling g with global shapes and types [ShapedArray(f32[9])].\n");
  ASSERT_EQ(workload.recompiled.size(), 1u);
  const RecompiledFunction& f = workload.recompiled[0];
  EXPECT_EQ(f.name, "f");
  EXPECT_EQ(f.modules, 3);
  EXPECT_EQ(f.shapes, 2);
  EXPECT_THAT(f.differences, ElementsAre("parameter 0: f32[8], f32[9]"));
}

TEST(ReadLog, ReadsWarningsOfSlowHooksInBothForms) {
  const Workload workload = Read(
      "WARNING:tensorflow:Method (on_train_batch_end) is slow compared to the batch update "
      "(0.122943). Check your callbacks.\n"
      "all is well\n"
      "WARNING:tensorflow:Callback method `on_test_batch_end` is slow compared to the batch time "
      "(batch time: 0.0102s vs `on_test_batch_end` time: 0.0543s). Check your callbacks.\n");
  ASSERT_EQ(workload.slow_batch_hooks.size(), 2u);
  EXPECT_EQ(workload.slow_batch_hooks[0].method, "on_train_batch_end");
  EXPECT_EQ(workload.slow_batch_hooks[1].method, "on_test_batch_end");
  EXPECT_EQ(workload.slow_batch_hooks[1].location.line, 3);
}

TEST(ReadLog, LeavesScriptsAndNotebooksToTheirReaders) {
  EXPECT_FALSE(LooksLikeLog({"train.py", kJax}));
  EXPECT_FALSE(LooksLikeLog({"a.ipynb", std::string("{") + kJax}));
  EXPECT_FALSE(LooksLikeLog({"a.log", "all is well\n"}));
}

TEST(ReadLog, ALogWithNothingToSayIsAnError) {
  const auto read = ReadLog({"a.log", "all is well\n"}, {});
  EXPECT_THAT(Message(read.status()), HasSubstr("a.log: found a log with no"));
}

TEST(LogText, SizesAreBinaryAndBounded) {
  EXPECT_EQ(ParseLogSize(" 4.0K").value, 4096);
  EXPECT_EQ(ParseLogSize("0B").value, 0);
  EXPECT_EQ(ParseLogSize("7.48GiB of").value, 8031588844);
  EXPECT_EQ(ParseLogSize("unknown size").value, 0);
  EXPECT_EQ(ParseLogSize("-1G").value, 0);
  EXPECT_EQ(ParseLogSize("1e300T").value, 0);
  EXPECT_EQ(ParseLogSize("nan").value, 0);
}

// What a report says, by its stage.
std::string OneLine(const std::string& line) {
  const Workload workload = Read(line + "\n");
  if (workload.memory_reports.size() != 1) return "not one report";
  const MemoryReport& r = workload.memory_reports[0];
  return fmt::format("{}: {} of {}, {} free, {} in one piece, for '{}'", static_cast<int>(r.stage),
                     FormatBytes(r.used), FormatBytes(r.capacity),
                     r.free ? FormatBytes(*r.free) : "?", FormatBytes(r.free_in_one_piece),
                     r.kernel);
}

TEST(ReadLog, ReadsEstimatesOfTheCompiler) {
  EXPECT_EQ(OneLine("RESOURCE_EXHAUSTED: Compilation failure: Aborting compilation early because "
                    "it's unlikely to have enough memory. Requires 3.47E, has 14.49G available."),
            "1: 3.47 EiB of 14.5 GiB, ? free, 0 B in one piece, for ''");
}

TEST(ReadLog, ReadsWhatTheRuntimeFoundNoRoomFor) {
  EXPECT_EQ(OneLine("XlaRuntimeError: RESOURCE_EXHAUSTED: Error allocating device buffer: "
                    "Attempting to allocate 129.50M. That was not possible. There are 78.17M "
                    "free.; (0x0x0_HBM0)"),
            "3: 130 MiB of 0 B, 78.2 MiB free, 0 B in one piece, for ''");
  EXPECT_EQ(OneLine("Resource exhausted: Failed to allocate request for 64.00MiB (67108864B) on "
                    "device ordinal 0"),
            "3: 64.0 MiB of 0 B, ? free, 0 B in one piece, for ''");
  EXPECT_EQ(OneLine("Error loading program 'jit_step': Attempting to reserve 6.48G at the bottom "
                    "of memory. That was not possible. There are 6.78G free, 0B reserved, and "
                    "3.33G reservable."),
            "2: 6.48 GiB of 0 B, 6.78 GiB free, 3.33 GiB in one piece, for 'jit_step'");
}

TEST(ReadLog, NamesTheKernelOfScopedMemory) {
  EXPECT_EQ(OneLine("Ran out of memory in memory space vmem while allocating on stack for %a.1 = "
                    "bf16[8]{0} custom-call(). Scoped allocation with size 37.22M and limit "
                    "32.00M exceeded scoped vmem limit by 5.22M."),
            "0: 37.2 MiB of 32.0 MiB, ? free, 0 B in one piece, for '%a.1'");
}

TEST(ReadLog, CountsEqualReports) {
  const std::string line =
      "Attempting to allocate 1.00G. That was not possible. There are 0.50G free.\n";
  const Workload workload = Read(line + line + line);
  ASSERT_EQ(workload.memory_reports.size(), 1u);
  EXPECT_EQ(workload.memory_reports[0].times, 3);
}

TEST(ReadLog, ReadsArraysThatThePartitionerGathersWhole) {
  const std::string start =
      "E0531 10:54:04.8 2609 spmd_partitioner.cc:569] [spmd] Involuntary full rematerialization. "
      "The compiler was not able to go from sharding {devices=[2,1,4]<=[4,2]T(1,0)} to "
      "{devices=[1,8,1]<=[8]} without doing a full rematerialization of the tensor";
  const std::string end = ". You probably want to enrich the sharding annotations.\n";
  const Workload workload =
      Read(start + end + start + end + start +
           " for HLO operation: %pad = f64[96]{0} pad(%b, %c), padding=8_7, "
           "metadata={op_name=\"jit(f)/pad\" source_file=\"f.py\" source_line=7}" +
           end);
  ASSERT_EQ(workload.whole_reshards.size(), 2u);
  const WholeReshard& bare = workload.whole_reshards[0];
  EXPECT_EQ(bare.from, "{devices=[2,1,4]<=[4,2]T(1,0)}");
  EXPECT_EQ(bare.to, "{devices=[1,8,1]<=[8]}");
  EXPECT_EQ(bare.times, 2);
  EXPECT_EQ(bare.value, "");
  const WholeReshard& named = workload.whole_reshards[1];
  EXPECT_EQ(named.value, "%pad = f64[96]{0} pad");
  EXPECT_EQ(named.operation, "jit(f)/pad");
  EXPECT_EQ(FormatLocation(named.source), "f.py:7");
}

}  // namespace
}  // namespace tilewise
