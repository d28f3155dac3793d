// One point, simulated: step, layers, memory, epoch.

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/run.h"
#include "frontend/load.h"

namespace tilewise {

absl::StatusOr<int> RunSimulate(const Options& options) {
  TW_ASSIGN_OR_RETURN(const Target target, TargetOf(options));
  TW_ASSIGN_OR_RETURN(const Workload workload,
                      LoadFiles(options.files, {.cores = target.cores}));
  TW_ASSIGN_OR_RETURN(
      const auto analysis,
      Analyze(workload, target, AnalysisOptionsOf(options, workload, target)));
  TW_RETURN_IF_ERROR(RequireModel(*analysis));
  const Report report = DescribeRun("simulate", workload, target, *analysis);
  TW_RETURN_IF_ERROR(WriteReport(report, options));
  return kExitClean;
}

}  // namespace tilewise
