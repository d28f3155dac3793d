// Nothing is lowered: what is in a file does not depend on a chip.

#include <utility>

#include "base/check.h"
#include "cli/command.h"
#include "cli/file_batch.h"
#include "cli/load.h"
#include "cli/options/arguments.h"
#include "cli/options/config_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/output.h"
#include "report/inspection.h"

namespace tilewise {
namespace {

struct InspectOptions {
  InputOptions inputs;
  ConfigOptions config;
  TrainingOptions training;
  bool explain_batch = false;
  OutputOptions output;
};

int64_t FigureBatch(const Workload& workload, const TrainingOptions& options) {
  if (!workload.graph || workload.graph->is_static()) return 1;
  if (options.global_batch > 0) return options.global_batch;
  return 1;
}

absl::StatusOr<InspectedFile> Inspect(const std::string& path, const InspectOptions& options) {
  InspectedFile file;
  file.path = path;
  const LoadOptions load = {.input_format = options.inputs.format,
                            .training = options.training.training,
                            .program = options.inputs.program};
  TW_ASSIGN_OR_RETURN(file.workload, ReadInputs({path}, load));
  TW_ASSIGN_OR_RETURN(
      FileBatch file_batch,
      FreeBatch(options.training, {.explains = options.explain_batch}, file.workload));
  file.batch_explanation = std::move(file_batch.explanation);
  const int64_t batch = FigureBatch(file.workload, options.training);
  if (file.workload.graph) {
    TW_RETURN_IF_ERROR(Annotate(CheckBindable(*file.workload.graph, batch), path));
  }
  file.coverage = MeasureCoverage(file.workload, batch);
  return file;
}

void Add(Arguments& arguments, InspectOptions& options) {
  Add(arguments, options.inputs);
  Add(arguments, options.config);
  Add(arguments, options.training);
  arguments.Flag({.name = "--explain-batch",
                  .help = "show how the batch is told apart in a file with fixed sizes"},
                 options.explain_batch);
  Add(arguments, NamesOf(FormatsOf<Inspection>()), options.output);
  AddVerbose(arguments, options.output);
}

absl::StatusOr<int> RunInspect(const InspectOptions& options) {
  Inspection inspection;
  inspection.version = TILEWISE_VERSION;
  for (const std::string& path : options.inputs.files) {
    TW_ASSIGN_OR_RETURN(InspectedFile file, Inspect(path, options));
    inspection.files.push_back(std::move(file));
  }
  TW_RETURN_IF_ERROR(Render(inspection, options.output));
  return kExitClean;
}

}  // namespace

TW_RUNS_COMMAND(Inspect, RunInspect)

}  // namespace tilewise
