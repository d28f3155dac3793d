// The closed-form lower bound alone: no timeline, no loop.

#include "cli/commands.h"
#include "cli/describe_run.h"
#include "cli/dump_lowering.h"
#include "cli/output.h"
#include "cli/program_file.h"
#include "cli/run.h"

namespace tilewise {
namespace {

absl::StatusOr<Report> EstimateModel(const Options& options) {
  TW_ASSIGN_OR_RETURN(const auto subject, LoadAndAnalyze(options));
  TW_RETURN_IF_ERROR(RequireModel(*subject));
  if (!options.dump_folder.empty()) {
    TW_RETURN_IF_ERROR(DumpLowering(*subject, options.dump_folder));
  }
  Report report = DescribeRun("estimate", *subject);
  AddMemory(*subject, report);
  return report;
}

absl::StatusOr<Report> EstimateInput(const Options& options) {
  TW_ASSIGN_OR_RETURN(const auto file, ReadProgramFile(options));
  if (file) return DescribeProgram("estimate", *file, options);
  return EstimateModel(options);
}

}  // namespace

absl::StatusOr<int> RunEstimate(const Options& options) {
  TW_ASSIGN_OR_RETURN(Report report, EstimateInput(options));
  report.timeline.reset();
  report.split.reset();
  report.kernels.clear();
  report.loop.reset();
  report.ops.clear();
  report.stages.clear();
  TW_RETURN_IF_ERROR(WriteReport(report, options));
  return kExitClean;
}

}  // namespace tilewise
