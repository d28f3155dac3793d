// The whole program: read, lower and simulate, lint, tune, report.

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/request.h"
#include "frontend/load.h"

namespace tilewise {

absl::StatusOr<int> RunAdvise(const Options& options) {
  TW_ASSIGN_OR_RETURN(const Target target, TargetOf(options));
  TW_ASSIGN_OR_RETURN(const RuleSelection selection, SelectionOf(options));
  TW_ASSIGN_OR_RETURN(const Workload workload,
                      LoadFiles(options.files, {.cores = target.cores}));
  TW_ASSIGN_OR_RETURN(
      const auto analysis,
      Analyze(workload, target, AnalysisOptionsOf(options, workload, target)));
  Report report = DescribeRun("advise", workload, target, *analysis);
  report.findings = RunRules(analysis->facts(), selection);
  if (analysis->facts().model != nullptr) {
    TW_ASSIGN_OR_RETURN(report.tuning,
                        TuneAnalysed(options, workload, target, *analysis));
  }
  TW_RETURN_IF_ERROR(WriteReport(report, options));
  return ExitCode(report, options);
}

}  // namespace tilewise
