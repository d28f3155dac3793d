// What is in each file, without lowering it for a chip.

#include <utility>

#include "base/check.h"
#include "cli/commands.h"
#include "cli/file_batch.h"
#include "cli/output.h"
#include "cli/read_inputs.h"
#include "cli/run.h"
#include "report/inspection.h"

namespace tilewise {
namespace {

int64_t FigureBatch(const Workload& workload, const Options& options) {
  if (!workload.graph || workload.graph->is_static()) return 1;
  if (options.global_batch > 0) return options.global_batch;
  return 1;
}

absl::StatusOr<InspectedFile> Inspect(const std::string& path,
                                      const Options& options) {
  InspectedFile file;
  file.path = path;
  const LoadOptions load = {.input_format = options.input_format,
                            .training = options.training};
  TW_ASSIGN_OR_RETURN(file.workload, ReadInputs({path}, load));
  TW_ASSIGN_OR_RETURN(FileBatch file_batch, FreeBatch(options, file.workload));
  file.batch_explanation = std::move(file_batch.explanation);
  const int64_t batch = FigureBatch(file.workload, options);
  if (file.workload.graph) {
    TW_RETURN_IF_ERROR(
        Annotate(CheckBindable(*file.workload.graph, batch), path));
  }
  file.coverage = MeasureCoverage(file.workload, batch);
  return file;
}

}  // namespace

absl::StatusOr<int> RunInspect(const Options& options) {
  Inspection inspection;
  inspection.version = TILEWISE_VERSION;
  for (const std::string& path : options.files) {
    TW_ASSIGN_OR_RETURN(InspectedFile file, Inspect(path, options));
    inspection.files.push_back(std::move(file));
  }
  TW_RETURN_IF_ERROR(WriteInspection(inspection, options));
  return kExitClean;
}

}  // namespace tilewise
