// The help shows these beside the options of the step.

#include "cli/options/loop_options.h"

#include "cli/options/training_options.h"

namespace tilewise {
namespace {

constexpr int64_t kMaxSteps = 1'000'000'000;
constexpr int64_t kMaxStepsPerExecution = 1'000'000;
constexpr int64_t kMaxExamples = 1'000'000'000'000;

}  // namespace

void Add(Arguments& arguments, LoopOptions& options) {
  arguments.Number({.name = "--steps-per-execution",
                    .help = "instead of what compile() says",
                    .group = kTrainingGroup},
                   options.steps_per_execution, kMaxStepsPerExecution);
  arguments.Number({.name = "--steps-per-epoch",
                    .help = "instead of what fit() says",
                    .group = kTrainingGroup},
                   options.steps_per_epoch, kMaxSteps);
  arguments.Number({.name = "--examples",
                    .help = "examples in an epoch, when the files do not tell",
                    .group = kTrainingGroup},
                   options.examples, kMaxExamples);
}

}  // namespace tilewise
