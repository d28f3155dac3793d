// Findings only. The model is simulated all the same, for what each one costs.

#include "cli/commands.h"
#include "cli/describe_run.h"
#include "cli/output.h"
#include "cli/selection.h"

namespace tilewise {

absl::StatusOr<int> RunLint(const Options& options) {
  TW_ASSIGN_OR_RETURN(const RuleSelection selection, SelectionOf(options));
  TW_ASSIGN_OR_RETURN(const auto subject, LoadAndAnalyze(options));
  Report report = DescribeRun("lint", *subject);
  report.findings = RunRules(subject->facts(), selection);
  report.ops.clear();
  report.program.reset();
  report.loop.reset();
  report.stages.clear();
  TW_RETURN_IF_ERROR(WriteReport(report, options));
  return ExitCode(report, options);
}

}  // namespace tilewise
