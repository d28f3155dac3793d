// The table of kinds of lines. To add one: its reader, and its row here with the
// words that its lines have in all releases.

#include <array>

#include "frontend/logs/kinds.h"
#include "frontend/logs/memory_report.h"
#include "frontend/logs/reshard_log.h"

namespace tilewise {
namespace {

using Sign = std::string_view;

constexpr auto kMemorySigns = [] {
  std::array<Sign, kListSigns.size() + kLineSigns.size()> all;
  auto* at = all.data();
  for (const Sign sign : kListSigns) *at++ = sign;
  for (const Sign sign : kLineSigns) *at++ = sign;
  return all;
}();
constexpr Sign kReshardSigns[] = {kWholeReshardSign};
constexpr Sign kStatedSigns[] = {
    "Using (GB) ",  "Post Compilation Analysis:",         "Peak In Use: ",
    "emory size: ", "by rematerialization; only reduced", "Converting sparse IndexedSlices ",
};
constexpr Sign kCompilationSigns[] = {
    " with global shapes and types ",
    "Finished XLA compilation of ",
    "Finished jaxpr to MLIR module conversion ",
    "Finished tracing ",
};
constexpr Sign kSlowSigns[] = {
    "Very slow compile?",
    "The operation took ",
    "Constant folding an instruction is taking ",
    "longest instance took ",
};
constexpr Sign kRetraceSigns[] = {
    "triggered tf.function retracing",
    "XLA compilation detected",
    "TRACING CACHE MISS at ",
};
constexpr Sign kProgressSigns[] = {"s/step", " ETA: ", "s/it", "it/s]", "it/s,", "it/s "};
constexpr Sign kTrainingSigns[] = {
    "completed step: ",
    " GlobalRate=",
    "steps_per_second",
    "steps_per_sec",
    "global_step/sec",
    "examples/sec: ",
    "steps/sec",
    "steps/s:",
    "sec/step:",
    "step_time:",
    "step_time=",
    "step_time_seconds:",
    "step time:",
    "time/step:",
    "step_time_seconds ",
    ", time ",
    "| dt",
    "step_avg:",
};
constexpr Sign kMetricsSigns[] = {"Metric: ", "Counter: "};
constexpr Sign kDebugSigns[] = {
    "pt-xla-profiler: ", "Compilation Analysis: ", "Execution Analysis: "};
constexpr Sign kFailureSigns[] = {
    "Core halted unexpectedly",     "but got buffer with incompatible size",
    "CompileTimeHostOffloadOutput", "CompileTimeSparseCoreAllocationFailure",
    "Mosaic failed to compile",
};
constexpr Sign kInputSigns[] = {
    " is slow compared to the batch ",
    "Filling up shuffle buffer",
    "Enqueue next (",
};

constexpr std::array kKinds = {
    LogKind{"out of memory", kMemorySigns, OutOfMemoryLines},
    LogKind{"arrays gathered whole", kReshardSigns, ReshardLines},
    LogKind{"stated memory", kStatedSigns, StatedMemoryLines},
    LogKind{"compilations", kCompilationSigns, CompilationLines},
    LogKind{"slow compilations", kSlowSigns, SlowCompileLines},
    LogKind{"retracing", kRetraceSigns, RetraceLines},
    LogKind{"progress bars", kProgressSigns, ProgressBars},
    LogKind{"training lines", kTrainingSigns, TrainingLines},
    LogKind{"torch_xla metrics", kMetricsSigns, TorchMetrics},
    LogKind{"PT_XLA_DEBUG", kDebugSigns, TorchDebugLines},
    LogKind{"failures", kFailureSigns, FailureLines},
    LogKind{"input", kInputSigns, InputLines},
};

}  // namespace

std::span<const LogKind> LogKinds() { return kKinds; }

}  // namespace tilewise
