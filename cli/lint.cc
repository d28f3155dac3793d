// Findings only. The model is simulated all the same, for what each one costs.

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/request.h"
#include "frontend/load.h"

namespace tilewise {

absl::StatusOr<int> RunLint(const Options& options) {
  TW_ASSIGN_OR_RETURN(const Target target, TargetOf(options));
  TW_ASSIGN_OR_RETURN(const RuleSelection selection, SelectionOf(options));
  TW_ASSIGN_OR_RETURN(const Workload workload,
                      LoadFiles(options.files, {.cores = target.cores}));
  TW_ASSIGN_OR_RETURN(
      const auto analysis,
      Analyze(workload, target, AnalysisOptionsOf(options, workload, target)));
  Report report = DescribeRun("lint", workload, target, *analysis);
  report.findings = RunRules(analysis->facts(), selection);
  report.ops.clear();
  report.program.reset();
  report.loop.reset();
  report.stages.clear();
  TW_RETURN_IF_ERROR(WriteReport(report, options));
  return ExitCode(report, options);
}

}  // namespace tilewise
