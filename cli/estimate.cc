// The closed-form lower bound alone: no timeline, no loop.

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/run.h"
#include "frontend/load.h"

namespace tilewise {

absl::StatusOr<int> RunEstimate(const Options& options) {
  TW_ASSIGN_OR_RETURN(const Target target, TargetOf(options));
  TW_ASSIGN_OR_RETURN(const Workload workload,
                      LoadFiles(options.files, {.cores = target.cores}));
  TW_ASSIGN_OR_RETURN(
      const auto analysis,
      Analyze(workload, target, AnalysisOptionsOf(options, workload, target)));
  TW_RETURN_IF_ERROR(RequireModel(*analysis));
  Report report = DescribeRun("estimate", workload, target, *analysis);
  report.timeline.reset();
  report.loop.reset();
  report.ops.clear();
  report.stages.clear();
  TW_RETURN_IF_ERROR(WriteReport(report, options));
  return kExitClean;
}

}  // namespace tilewise
