// The table of commands. A command is a struct of options, Add() that declares
// them, and a function that runs with them.

#include <memory>

#include "cli/advise/advise.h"
#include "cli/calibrate/calibrate.h"
#include "cli/command.h"
#include "cli/completions/completions.h"
#include "cli/estimate/estimate.h"
#include "cli/explain/explain.h"
#include "cli/init/init.h"
#include "cli/inspect/inspect.h"
#include "cli/lint/lint.h"
#include "cli/list/list.h"
#include "cli/simulate/simulate.h"
#include "cli/tune/tune.h"
#include "cli/validate/validate.h"

namespace tilewise {
namespace {

template <class Options, absl::StatusOr<int> (*Run)(const Options&)>
Invocation Make(Arguments& arguments) {
  const auto options = std::make_shared<Options>();
  Add(arguments, *options);
  Invocation invocation;
  invocation.run = [options] { return Run(*options); };
  if constexpr (requires { options->model; }) {
    invocation.config = &options->model.config;
  } else if constexpr (requires { options->config; }) {
    invocation.config = &options->config;
  }
  return invocation;
}

constexpr Command kCommands[] = {
    {"advise", "lint, simulate and tune: the whole answer in one report",
     Make<AdviseOptions, RunAdvise>},
    {"lint", "findings only: what wastes the TPU, where, and the fix", Make<LintOptions, RunLint>},
    {"simulate", "step time, per-layer table, memory and epoch",
     Make<SimulateOptions, RunSimulate>},
    {"estimate", "closed-form lower bound of time and memory", Make<EstimateOptions, RunEstimate>},
    {"tune", "the best batch size and steps_per_execution", Make<TuneOptions, RunTune>},
    {"inspect", "what is in a file, and how much of it is understood",
     Make<InspectOptions, RunInspect>},
    {"validate", "simulated against measured: errors, ranks, memory verdicts",
     Make<ValidateCommandOptions, RunValidate>},
    {"calibrate", "fits a chip's constants to measurements: a file for --chip",
     Make<CalibrateCommandOptions, RunCalibrate>},
    {"explain", "what a rule means, why it matters, what to do", Make<ExplainOptions, RunExplain>},
    {"init", "writes a .tilewise.yaml to start from", Make<InitOptions, RunInit>},
    {"completions", "prints a script that completes commands and options",
     Make<CompletionsOptions, RunCompletions>},
    {"list",
     "the rules, chips, hosts, formats, passes or zoo models that tilewise "
     "knows",
     Make<ListOptions, RunList>},
};

}  // namespace

std::span<const Command> Commands() { return kCommands; }

}  // namespace tilewise
