// Lines of logs beside reports of memory: steps, compilations, the host, and
// what loggers, terminals and collectors of logs do to lines.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/logs/line_signs.h"
#include "frontend/logs/log_text.h"
#include "frontend/logs/read_log.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

Workload Read(const std::string& text) {
  absl::StatusOr<Workload> read = ReadLog({"run.log", text}, {});
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? *std::move(read) : Workload{};
}

LoggedSteps StepsOf(const std::string& text) {
  const Workload workload = Read(text);
  const LoggedSteps* steps = workload.run_log.best_steps();
  return steps == nullptr ? LoggedSteps{} : *steps;
}

TEST(LogSteps, CompilationAndAsynchronousStepsAreLeftOut) {
  const LoggedSteps steps = StepsOf(
      "completed step: 0, seconds: 44.923, TFLOP/s/device: 17.022, Tokens/s/device: 1094.129\n"
      "completed step: 1, seconds: 0.319, TFLOP/s/device: 2400.734, Tokens/s/device: 154316\n"
      "completed step: 2, seconds: 5.658, TFLOP/s/device: 135.158, Tokens/s/device: 8687.8\n"
      "completed step: 3, seconds: 5.668, TFLOP/s/device: 134.909, Tokens/s/device: 8671.8\n"
      "completed step: 4, seconds: 5.669, TFLOP/s/device: 134.882, Tokens/s/device: 8670.1\n");
  EXPECT_EQ(steps.writer, "MaxText");
  EXPECT_DOUBLE_EQ(steps.steady.value, 5.668);
  EXPECT_EQ(steps.settled, 3);
  EXPECT_EQ(steps.too_fast, 1);
  EXPECT_NEAR(steps.compilation.value, 44.923 - 5.668, 1e-9);
  EXPECT_NEAR(steps.flops, 134.909e12, 1e6);
}

TEST(LogSteps, KerasBarsGiveTheTimeOfLaterEpochs) {
  const LoggedSteps steps = StepsOf(
      "Epoch 1/2\n1/500 [....] - ETA: 58:12 - loss: 2.9\r250/500 [==..] - ETA: 1:02\r"
      "500/500 [====] - 96s 74ms/step - loss: 2.4\nEpoch 2/2\n"
      "\x1b[1m500/500\x1b[0m \x1b[32m━━━━━\x1b[0m \x1b[1m31s\x1b[0m 62ms/step - loss: 1.6\n");
  EXPECT_DOUBLE_EQ(steps.steady.value, 0.062);
  EXPECT_NEAR(steps.compilation.value, 96 - 31, 1e-9);
}

TEST(LogSteps, ALogThatEndsInItsFirstStepsHasNone) {
  EXPECT_EQ(StepsOf(" 17% 4/24 [03:56<17:13, 51.67s/it]\n").settled, 0);
}

TEST(LogSteps, OtherTrainersLinesAreRead) {
  EXPECT_NEAR(StepsOf("[1000] loss=3.1, timing/seconds=212.4, timing/seqs_per_second=602.6, "
                      "timing/steps_per_second=4.708\n")
                  .steady.value,
              0.2124, 1e-4);
  EXPECT_NEAR(StepsOf("Progress on:train 12.0it/20.0kit rate:9.1s/it elapsed:03:12 postfix:l=1\n"
                      "Progress on:train 64.0it/20.0kit rate:2.1s/it elapsed:05:02 postfix:l=1\n"
                      "Progress on:train 120it/20.0kit rate:2.1s/it elapsed:07:00 postfix:l=1\n")
                  .steady.value,
              2.1, 1e-9);
  const LoggedSteps estimator = StepsOf(
      "INFO:tensorflow:global_step/sec: 10\nI0516 09:52:33.9 1 tpu_estimator.py:1] "
      "global_step/sec: "
      "10\nINFO:tensorflow:examples/sec: 10240\n");
  EXPECT_NEAR(estimator.steady.value, 0.1, 1e-9);
  EXPECT_EQ(estimator.batch, 1024);
}

TEST(LogSteps, LoopsOfOwnScriptsAreRead) {
  EXPECT_NEAR(StepsOf("iter 0: loss 10.9, time 31000.94ms, mfu -100.00%\n"
                      "iter 1: loss 10.1, time 562.15ms, mfu -100.00%\n"
                      "iter 2: loss 9.8, time 562.15ms, mfu 30.10%\n"
                      "iter 3: loss 9.5, time 562.15ms, mfu 30.10%\n")
                  .steady.value,
              0.56215, 1e-9);
  EXPECT_NEAR(StepsOf("step    1 | loss: 10.9 | norm: 1.0 | dt: 338.2ms | tok/sec: 48445\n"
                      "step    2 | loss: 10.8 | norm: 1.0 | dt: 338.2ms | tok/sec: 48445\n"
                      "step    3 | loss: 10.7 | norm: 1.0 | dt: 338.2ms | tok/sec: 48445\n")
                  .steady.value,
              0.3382, 1e-9);
  EXPECT_NEAR(StepsOf("[train][INFO] - step: 10, loss: 8.0, step time: 4100.2 ms\n"
                      "[train][INFO] - step: 11, loss: 8.0, step time: 4100.2 ms\n"
                      "[train][INFO] - step: 12, loss: 8.0, step time: 4100.2 ms\n")
                  .steady.value,
              4.1002, 1e-9);
}

TEST(LogSteps, ABarOfUnknownLengthIsNoEpoch) {
  const LoggedSteps steps = StepsOf(
      "938/Unknown - 31s 33ms/step - loss: 0.20\r938/938 [====] - 31s 33ms/step - loss: 0.20\n"
      "938/938 [====] - 10s 11ms/step - loss: 0.08\n");
  EXPECT_DOUBLE_EQ(steps.steady.value, 0.011);
}

TEST(LogSteps, TheClockBetweenBarsTellsMoreThanTheirMeans) {
  const LoggedSteps steps = StepsOf(
      "Epoch 0:  17%|#| 40/240 [00:36<03:03,  1.09it/s, loss=2.3]\n"
      "Epoch 0:  33%|#| 80/240 [00:42<01:25,  1.88it/s, loss=2.2]\n"
      "Epoch 0:  50%|#| 120/240 [00:48<00:48,  2.48it/s, loss=2.1]\n");
  EXPECT_NEAR(steps.steady.value, 0.15, 1e-9);
}

TEST(LogCompilations, AnAlarmAndItsEndAreOneCompilation) {
  const Workload workload = Read(
      "********\n[Compiling module jit_f] Very slow compile? If you want\n********\n"
      "2025-03-19 07:30:14.8: E x.cc:140] The operation took 2m12.850942799s\n\n********\n"
      "[Compiling module jit_f] Very slow compile? If you want\n");
  ASSERT_EQ(workload.run_log.compiles.size(), 1u);
  EXPECT_NEAR(workload.run_log.compiles[0].time.value, 132.85, 0.01);
}

TEST(LogCompilations, AFoldedInstructionHasItsTimeAndLine) {
  const Workload workload = Read(
      "E x.cc:65] Constant folding an instruction is taking > 2s:\n\n"
      "  %r = f64[10]{0} reduce(%b), metadata={source_file=\"fold.py\" source_line=13}\n");
  ASSERT_EQ(workload.run_log.compiles.size(), 1u);
  EXPECT_EQ(workload.run_log.compiles[0].kind, LoggedCompile::Kind::kFolding);
  EXPECT_EQ(FormatLocation(workload.run_log.compiles[0].source), "fold.py:13");
  EXPECT_DOUBLE_EQ(workload.run_log.compiles[0].at_least.value, 2);
}

TEST(LogCompilations, TimesOfJaxAreAddedPerFunction) {
  const Workload workload = Read(
      "Finished tracing f for jit in 0.05 sec\n"
      "Compiling jit(f) with global shapes and types (ShapedArray(f32[8]),).\n"
      "Finished XLA compilation of jit(f) in 9.5 sec\n"
      "Compiling jit(f) with global shapes and types (ShapedArray(f32[9]),).\n"
      "Finished XLA compilation of jit(f) in 10.5 sec\n");
  ASSERT_EQ(workload.recompiled.size(), 1u);
  EXPECT_DOUBLE_EQ(workload.recompiled[0].time.value, 20);
  EXPECT_DOUBLE_EQ(workload.run_log.compile_time().value, 20);
}

TEST(LogTorch, GrowthBetweenReportsCounts) {
  const auto report = [](int compiles, const char* time, int steps) {
    return fmt::format(
        "Metric: CompileTime\n  TotalSamples: {}\n  Accumulator: {}\n  Rate: 0.2 / second\n"
        "Counter: MarkStep\n  Value: {}\n",
        compiles, time, steps);
  };
  const Workload workload =
      Read(report(12, "44s280ms699.409us", 6) + report(14, "01m03s282ms217.172us", 7));
  ASSERT_EQ(workload.run_log.repeated.size(), 1u);
  const RepeatedCompile& repeated = workload.run_log.repeated[0];
  EXPECT_EQ(repeated.compiles, 2);
  EXPECT_EQ(repeated.steps, 1);
  EXPECT_NEAR(repeated.time.value, 19.0, 0.01);
}

TEST(LogTorch, ReportsKeepTheirNumbers) {
  const Workload workload = Read(
      "Metric: CompileTime\n  TotalSamples: 2\n  Accumulator: 02m38s528ms\n"
      "  Percentiles: 1%=054ms856.143us; 50%=054ms856.143us; 99%=02m37s000ms\n"
      "Metric: OutboundData\n  TotalSamples: 4\n  Accumulator: 1.50KB\n"
      "Counter: MarkStep\n  Value: 30\n");
  const std::vector<LoggedMetric>& metrics = workload.run_log.metrics;
  ASSERT_EQ(metrics.size(), 3u);
  EXPECT_NEAR(metrics[0].total.value, 97.528, 1e-9);
  EXPECT_NEAR(metrics[0].median.value, 0.053856143, 1e-12);
  EXPECT_EQ(metrics[1].sum, 1536);
  EXPECT_EQ(metrics[2].samples, 30);
  // The longest compilation stands alone beside the others.
  ASSERT_EQ(workload.run_log.compiles.size(), 2u);
  EXPECT_NEAR(workload.run_log.compiles[0].time.value, 97, 1);
  EXPECT_NEAR(workload.run_log.compile_time().value, 97.528, 1e-9);
}

TEST(LogTorch, APartOfADurationIsRoundedByTheNext) {
  EXPECT_NEAR(ParseTorchDuration("054ms856.143us")->value, 53.856e-3, 1e-6);
  EXPECT_NEAR(ParseTorchDuration("02m38s528ms")->value, 97.528, 1e-3);
  EXPECT_NEAR(ParseTorchDuration("003ms687.511us")->value, 2.687511e-3, 1e-9);
}

TEST(LogMemory, OtherRuntimesReportsAreRead) {
  const Workload sparse = Read(
      "TPU TensorCore Hbm usage: 34.82G, SparseCore Hbm usage 174.10G, exceeding available bytes: "
      "95.74G\n");
  ASSERT_EQ(sparse.memory_reports.size(), 1u);
  EXPECT_EQ(FormatBytes(sparse.memory_reports[0].sparse_core), "174 GiB");
  const Workload driver = Read(
      "Could not allocate 10485760 bytes in memory 0x0x0_HBM0; 4374528 bytes allocatable, 14942208 "
      "bytes available\n");
  ASSERT_EQ(driver.memory_reports.size(), 1u);
  EXPECT_EQ(driver.memory_reports[0].free_in_one_piece.value, 4374528);
  const Workload vmem = Read(
      "Allocation (size=134217728) would exceed memory (size=67108864) :: #allocation25 [shape = "
      "'u8[134217728]{0}', space=vmem, size = 0x8000000] :: kernel.2\n");
  ASSERT_EQ(vmem.memory_reports.size(), 1u);
  EXPECT_EQ(vmem.memory_reports[0].kernel, "kernel.2");
  EXPECT_EQ(vmem.memory_reports[0].space, "vmem");
}

TEST(LogMemory, ASentenceThatIsBrokenOverLinesIsOne) {
  const Workload workload = Read(
      "worker-0: RESOURCE_EXHAUSTED: Attempting to reserve 10.51G at the bottom of memory. That\n"
      "worker-0: was not possible. There are 8.97G free, 0B reserved, and\n"
      "worker-0: 7.50G reservable.\n");
  ASSERT_EQ(workload.memory_reports.size(), 1u);
  EXPECT_EQ(FormatBytes(*workload.memory_reports[0].free), "8.97 GiB");
  EXPECT_EQ(FormatBytes(workload.memory_reports[0].free_in_one_piece), "7.50 GiB");
}

TEST(LogMemory, ReportsThatFollowEachOtherAreOneEach) {
  const Workload workload = Read(
      "RESOURCE_EXHAUSTED: Attempting to allocate 129.50M. That was not possible. There are 78.17M "
      "free.; (0x0x0_HBM0)\n"
      "RESOURCE_EXHAUSTED: Error loading program 'jit_f': Attempting to reserve 6.48G at the "
      "bottom "
      "of memory. That was not possible. There are 6.78G free, 0B reserved, and 3.33G "
      "reservable.\n");
  ASSERT_EQ(workload.memory_reports.size(), 2u);
  EXPECT_EQ(workload.memory_reports[0].stage, MemoryStage::kAllocate);
  EXPECT_EQ(workload.memory_reports[1].kernel, "jit_f");
}

TEST(LogHosts, ReportsOfHostsThatAreMixedDoNotMix) {
  const Workload workload = Read(
      "[worker-0] Ran out of memory in memory space hbm. Used 20.00G of 15.00G hbm.\n"
      "[worker-1] Ran out of memory in memory space hbm. Used 20.00G of 15.00G hbm.\n"
      "[worker-0] Total hbm usage >= 21.00G:\n"
      "[worker-1] Total hbm usage >= 21.00G:\n"
      "[worker-0]     reserved        1.00G\n"
      "[worker-1]     reserved        1.00G\n"
      "[worker-0]     program        20.00G\n"
      "[worker-1]     program        20.00G\n");
  ASSERT_EQ(workload.memory_reports.size(), 1u);
  EXPECT_EQ(workload.memory_reports[0].times, 2);
  EXPECT_EQ(FormatBytes(workload.memory_reports[0].reserved), "1.00 GiB");
}

TEST(LogText, PrefixesOfManyLoggersAreTakenOff) {
  for (const std::string_view prefix :
       {"2025-03-19 07:30:02.045318: E path/file.cc:73] ",
        "E1109 19:24:47.543532 2695810 file.cc:73] ", "W0610 23:50:26.227175 dispatch.py:205] ",
        "(EngineCore pid=1) ERROR 06-03 07:41:11 [core.py:1184] ",
        "[INFO|trainer.py:837] 2021-02-15 14:41:59,879 >> ", "2020-07-14 05:41:08 | INFO | root | ",
        "INFO:tensorflow:", "t1v-n-5d9c-w-3: ", "[rank0]: "}) {
    EXPECT_EQ(LogText(std::string(prefix) + "Used 1G of 2G"), "Used 1G of 2G") << prefix;
  }
  EXPECT_EQ(LogText("500/500 [====] - 3s"), "500/500 [====] - 3s");
}

TEST(LogText, LinesOfCollectorsAreUnwrapped) {
  const Workload workload = Read(
      "{\"textPayload\": \"completed step: 4, seconds: 2.5, TFLOP/s/device: 20\\n\", \"labels\": "
      "{}}\n"
      "{\"textPayload\": \"completed step: 5, seconds: 2.5, TFLOP/s/device: 20\\n\", \"labels\": "
      "{}}\n");
  ASSERT_NE(workload.run_log.best_steps(), nullptr);
  EXPECT_DOUBLE_EQ(workload.run_log.best_steps()->steady.value, 2.5);
}

TEST(LineSigns, FindTextsInsideOfTexts) {
  LineSigns signs;
  signs.Add("hers", 0);
  signs.Add("she", 1);
  signs.Add("his", 2);
  signs.Finish();
  EXPECT_EQ(signs.Find("ushers"), 3u);
  EXPECT_EQ(signs.Find("this"), 4u);
  EXPECT_EQ(signs.Find("hes"), 0u);
}

TEST(LogFailures, SayWhatTheMessageMeans) {
  const Workload workload = Read(
      "Core halted unexpectedly: scheckne: An unexpected leader shows up in the launch group with "
      "a "
      "different launch id than the current group leader.\n");
  ASSERT_EQ(workload.run_log.failures.size(), 1u);
  EXPECT_THAT(workload.run_log.failures[0].what, HasSubstr("hosts do not run the same program"));
}

}  // namespace
}  // namespace tilewise
