// The closed-form lower bound alone: no timeline, no loop.

#include "cli/commands.h"
#include "cli/describe_run.h"
#include "cli/output.h"
#include "cli/run.h"

namespace tilewise {

absl::StatusOr<int> RunEstimate(const Options& options) {
  TW_ASSIGN_OR_RETURN(const auto subject, LoadAndAnalyze(options));
  TW_RETURN_IF_ERROR(RequireModel(*subject));
  Report report = DescribeRun("estimate", *subject);
  report.timeline.reset();
  report.loop.reset();
  report.ops.clear();
  report.stages.clear();
  TW_RETURN_IF_ERROR(WriteReport(report, options));
  return kExitClean;
}

}  // namespace tilewise
