// The whole program: read, lower and simulate, lint, tune, report.

#include "cli/commands.h"
#include "cli/describe_run.h"
#include "cli/output.h"
#include "cli/selection.h"
#include "cli/tune_subject.h"

namespace tilewise {

absl::StatusOr<int> RunAdvise(const Options& options) {
  TW_ASSIGN_OR_RETURN(const RuleSelection selection, SelectionOf(options));
  TW_ASSIGN_OR_RETURN(const auto subject, LoadAndAnalyze(options));
  Report report = DescribeRun("advise", *subject);
  report.findings = RunRules(subject->facts(), selection);
  if (subject->facts().model != nullptr) {
    TW_ASSIGN_OR_RETURN(report.tuning, TuneSubject(options, *subject));
  }
  TW_RETURN_IF_ERROR(WriteReport(report, options));
  return ExitCode(report, options);
}

}  // namespace tilewise
