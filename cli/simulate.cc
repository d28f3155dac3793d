// One point, simulated: step, layers, memory, epoch.

#include "cli/commands.h"
#include "cli/describe_run.h"
#include "cli/output.h"
#include "cli/run.h"

namespace tilewise {

absl::StatusOr<int> RunSimulate(const Options& options) {
  TW_ASSIGN_OR_RETURN(const auto subject, LoadAndAnalyze(options));
  TW_RETURN_IF_ERROR(RequireModel(*subject));
  TW_RETURN_IF_ERROR(WriteReport(DescribeRun("simulate", *subject), options));
  return kExitClean;
}

}  // namespace tilewise
