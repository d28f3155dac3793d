// The batch ladder of a small AlexNet on CIFAR-10, TF 1.11 on a Colab v2-8
// (a blog of October 2018): 20 s an epoch at batch 256, 4 s at 50,000.

#include <fmt/format.h>

#include "base/math.h"
#include "bench/accuracy/comparisons.h"
#include "bench/accuracy/errors.h"
#include "frontend/load.h"
#include "hardware/target.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"
#include "workload/example_size.h"

namespace tilewise {
namespace {

constexpr int64_t kExamples = 50000;

struct Rung {
  int64_t batch;
  double epoch_seconds;  // 50,000 x the printed time per example
};

constexpr Rung kMeasured[] = {{256, 20.35}, {1024, 9.85}, {4096, 5.75},
                              {8192, 5.5},  {16384, 4.7}, {50000, 4}};

absl::StatusOr<Seconds> EpochAt(int64_t batch, const Workload& workload,
                                const Target& target) {
  LowerOptions options;
  if (workload.training) options.spec = *workload.training;
  TW_ASSIGN_OR_RETURN(
      const Program program,
      Lower(*workload.graph, CeilDiv(batch, target.cores), target, options));
  const Timeline step = SimulateStep(program, target);
  LoopInput input;
  input.step = &step;
  input.pipeline = workload.training_pipeline();
  input.framework = workload.host_loop.framework;
  input.global_batch = batch;
  input.examples_per_epoch = kExamples;
  input.bytes_per_example = BytesPerExample(workload);
  return SimulateLoop(input, target).epoch;
}

}  // namespace

absl::Status CompareLadder(const std::string& example) {
  TW_ASSIGN_OR_RETURN(const Workload workload,
                      LoadFiles({example}, LoadOptions{}));
  TW_ASSIGN_OR_RETURN(const Target target, MakeTarget("v2", 8, "colab"));
  std::vector<Run> runs;
  for (const Rung& rung : kMeasured) {
    TW_ASSIGN_OR_RETURN(const Seconds epoch,
                        EpochAt(rung.batch, workload, target));
    runs.push_back(
        {fmt::format("batch {}", rung.batch), "", {rung.epoch_seconds}, epoch});
  }
  PrintSummary("AlexNet ladder, epoch", runs);
  PrintAll(runs);
  return absl::OkStatus();
}

}  // namespace tilewise
