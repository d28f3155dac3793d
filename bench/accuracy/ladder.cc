// The batch ladder of a small AlexNet on CIFAR-10, TF 1.11 on a Colab v2-8
// (a blog of October 2018): 20 s an epoch at batch 256, 4 s at 50,000.

#include <fmt/format.h>

#include "bench/accuracy/comparisons.h"
#include "bench/accuracy/errors.h"
#include "frontend/load.h"
#include "hardware/target.h"
#include "rules/analysis.h"

namespace tilewise {
namespace {

struct Rung {
  int64_t batch;
  double epoch_seconds;  // batch x time per example x steps, as printed
};

constexpr Rung kMeasured[] = {{256, 20.35}, {1024, 9.85}, {4096, 5.75},
                              {8192, 5.5},  {16384, 4.7}, {50000, 4}};

}  // namespace

absl::Status CompareLadder(const std::string& example) {
  TW_ASSIGN_OR_RETURN(const Workload workload,
                      LoadFiles({example}, LoadOptions{}));
  TW_ASSIGN_OR_RETURN(const Target target, MakeTarget("v2", 8, "colab"));
  std::vector<Comparison> runs;
  for (const Rung& rung : kMeasured) {
    AnalysisOptions options;
    options.global_batch = rung.batch;
    TW_ASSIGN_OR_RETURN(const auto analysis,
                        Analyze(workload, target, options));
    if (analysis->facts().loop == nullptr) {
      return absl::InternalError("found no loop, expected a model and fit()");
    }
    runs.push_back({fmt::format("batch {}", rung.batch),
                    "",
                    {rung.epoch_seconds},
                    analysis->facts().loop->epoch});
  }
  PrintSummary("AlexNet ladder, epoch", runs);
  PrintAll(runs);
  return absl::OkStatus();
}

}  // namespace tilewise
