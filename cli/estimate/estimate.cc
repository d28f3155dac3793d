// The closed-form lower bound alone: no timeline, no loop.

#include "cli/command.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/program_file.h"

namespace tilewise {
namespace {

struct EstimateOptions {
  ModelOptions model;
  OutputOptions output;
};

void Add(Arguments& arguments, EstimateOptions& options) {
  Add(arguments, options.model);
  Add(arguments, options.model.lowering);
  AddDump(arguments, options.model.lowering);
  Add(arguments, ReportFormats(false), options.output);
  AddVerbose(arguments, options.output);
}

absl::StatusOr<Report> EstimateInput(const ModelOptions& options) {
  TW_ASSIGN_OR_RETURN(const auto file, ReadProgramFile(options));
  if (file) return ReportOn("estimate", *file);
  TW_ASSIGN_OR_RETURN(const Loaded loaded, Load(options));
  TW_ASSIGN_OR_RETURN(const auto session, MakeSession(loaded));
  TW_RETURN_IF_ERROR(RequireModel(*session));
  TW_RETURN_IF_ERROR(DumpLowering(*session, options.lowering.dump_folder));
  Report report = ReportOn("estimate", *session);
  AddStep(session->Step(), report);
  AddMemory(*session, report);
  return report;
}

absl::StatusOr<int> RunEstimate(const EstimateOptions& options) {
  TW_ASSIGN_OR_RETURN(Report report, EstimateInput(options.model));
  report.timeline.reset();
  TW_RETURN_IF_ERROR(Render(report, options.output));
  return kExitClean;
}

}  // namespace

TW_RUNS_COMMAND(Estimate, RunEstimate)

}  // namespace tilewise
