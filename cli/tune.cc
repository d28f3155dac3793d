// The search alone: curve, best point, why.

#include "cli/commands.h"
#include "cli/describe_run.h"
#include "cli/output.h"
#include "cli/run.h"
#include "cli/tune_subject.h"

namespace tilewise {

absl::StatusOr<int> RunTune(const Options& options) {
  TW_ASSIGN_OR_RETURN(const auto subject, LoadAndAnalyze(options));
  TW_RETURN_IF_ERROR(RequireModel(*subject));
  Report report = DescribeRun("tune", *subject);
  TW_ASSIGN_OR_RETURN(report.tuning, TuneSubject(options, *subject));
  report.ops.clear();
  report.stages.clear();
  TW_RETURN_IF_ERROR(WriteReport(report, options));
  return kExitClean;
}

}  // namespace tilewise
