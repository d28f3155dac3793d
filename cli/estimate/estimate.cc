// The closed-form lower bound alone: no timeline, no loop.

#include "cli/estimate/estimate.h"

#include "cli/describe_run.h"
#include "cli/dump_lowering.h"
#include "cli/output.h"
#include "cli/program_file.h"
#include "cli/run.h"

namespace tilewise {
namespace {

absl::StatusOr<Report> EstimateModel(const ModelOptions& options) {
  TW_ASSIGN_OR_RETURN(const auto subject, LoadSubject(options));
  TW_RETURN_IF_ERROR(RequireModel(*subject));
  TW_RETURN_IF_ERROR(DumpLowering(*subject, options.lowering.dump_folder));
  Report report = DescribeRun("estimate", *subject);
  AddMemory(*subject, report);
  return report;
}

absl::StatusOr<Report> EstimateInput(const ModelOptions& options) {
  TW_ASSIGN_OR_RETURN(const auto file, ReadProgramFile(options));
  if (file) return DescribeProgram("estimate", *file);
  return EstimateModel(options);
}

}  // namespace

void Add(Arguments& arguments, EstimateOptions& options) {
  Add(arguments, options.model);
  Add(arguments, options.model.lowering);
  AddDump(arguments, options.model.lowering);
  Add(arguments, ReportFormats(false), options.output);
  AddVerbose(arguments, options.output);
}

absl::StatusOr<int> RunEstimate(const EstimateOptions& options) {
  TW_ASSIGN_OR_RETURN(Report report, EstimateInput(options.model));
  report.timeline.reset();
  report.split.reset();
  report.kernels.clear();
  report.loop.reset();
  report.ops.clear();
  report.stages.clear();
  TW_RETURN_IF_ERROR(WriteReport(report, options.output));
  return kExitClean;
}

}  // namespace tilewise
