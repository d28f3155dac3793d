// One point, simulated: step, layers, losses, memory, epoch. The point is a
// model, or a program that is lowered already.

#include "cli/commands.h"
#include "cli/describe_run.h"
#include "cli/dump_lowering.h"
#include "cli/output.h"
#include "cli/program_file.h"
#include "cli/run.h"
#include "cli/systolic.h"
#include "report/trace.h"

namespace tilewise {
namespace {

absl::StatusOr<Report> SimulateModel(const Options& options) {
  TW_ASSIGN_OR_RETURN(const auto subject, LoadAndAnalyze(options));
  TW_RETURN_IF_ERROR(RequireModel(*subject));
  if (!options.dump_folder.empty()) {
    TW_RETURN_IF_ERROR(DumpLowering(*subject, options.dump_folder));
  }
  Report report = DescribeRun("simulate", *subject);
  AddMemory(*subject, report);
  AddLosses(*subject->facts().source, subject->target, report);
  return report;
}

absl::StatusOr<Report> SimulateInput(const Options& options) {
  TW_ASSIGN_OR_RETURN(const auto file, ReadProgramFile(options));
  if (file) return DescribeProgram("simulate", *file, options);
  return SimulateModel(options);
}

}  // namespace

absl::StatusOr<int> RunSimulate(const Options& options) {
  if (!options.array.empty()) return RunSystolic(options);
  TW_ASSIGN_OR_RETURN(const Report report, SimulateInput(options));
  if (!options.trace.empty()) {
    TW_RETURN_IF_ERROR(WriteOutput(RenderTrace(report), options.trace));
  }
  TW_RETURN_IF_ERROR(WriteReport(report, options));
  return kExitClean;
}

}  // namespace tilewise
