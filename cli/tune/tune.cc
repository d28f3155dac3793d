// The search alone: curve, best point, why.

#include "cli/tune/tune.h"

#include "cli/describe_run.h"
#include "cli/output.h"
#include "cli/run.h"
#include "cli/tune_subject.h"

namespace tilewise {

void Add(Arguments& arguments, TuneOptions& options) {
  Add(arguments, options.model);
  Add(arguments, options.model.lowering);
  Add(arguments, options.search);
  Add(arguments, ReportFormats(false), options.output);
  AddVerbose(arguments, options.output);
}

absl::StatusOr<int> RunTune(const TuneOptions& options) {
  TW_ASSIGN_OR_RETURN(const auto subject, LoadSubject(options.model, {.tries_batches = true}));
  TW_RETURN_IF_ERROR(RequireModel(*subject));
  Report report = DescribeRun("tune", *subject);
  TW_ASSIGN_OR_RETURN(report.tuning, TuneSubject(options.search, *subject));
  report.ops.clear();
  report.stages.clear();
  TW_RETURN_IF_ERROR(WriteReport(report, options.output));
  return kExitClean;
}

}  // namespace tilewise
