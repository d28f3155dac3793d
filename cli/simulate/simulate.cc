// One point, simulated: step, layers, losses, memory, epoch. The point is a
// model, or a program that is lowered already.

#include "cli/simulate/simulate.h"

#include "cli/describe_run.h"
#include "cli/dump_lowering.h"
#include "cli/output.h"
#include "cli/program_file.h"
#include "cli/run.h"
#include "cli/simulate/systolic.h"
#include "report/trace.h"

namespace tilewise {
namespace {

std::string CheckArray(const std::string& text) {
  const absl::StatusOr<SystolicArray> array = ParseArray(text);
  return array.ok() ? "" : Message(array.status());
}

void AddArray(Arguments& arguments, SimulateOptions& options) {
  arguments.Text({.name = "--array",
                  .help = "instead of a chip a bare systolic array, whose cycles for each "
                          "matrix product are those that SCALE-Sim counts",
                  .group = kTargetGroup,
                  .type = "RxC",
                  .check = CheckArray},
                 options.array);
  arguments.Text({.name = "--dataflow",
                  .help = "what stays in that array: ws (weights, the "
                          "default), os (outputs) or is (inputs)",
                  .group = kTargetGroup,
                  .type = "NAME",
                  .check = OneOf({"ws", "os", "is"}),
                  .needs = "--array"},
                 options.dataflow);
}

absl::StatusOr<Report> SimulateModel(const ModelOptions& options) {
  TW_ASSIGN_OR_RETURN(const auto subject, LoadSubject(options));
  TW_RETURN_IF_ERROR(RequireModel(*subject));
  TW_RETURN_IF_ERROR(DumpLowering(*subject, options.lowering.dump_folder));
  Report report = DescribeRun("simulate", *subject);
  AddMemory(*subject, report);
  AddLosses(*subject->facts().source, subject->target, report);
  return report;
}

absl::StatusOr<Report> SimulateInput(const ModelOptions& options) {
  TW_ASSIGN_OR_RETURN(const auto file, ReadProgramFile(options));
  if (file) return DescribeProgram("simulate", *file);
  return SimulateModel(options);
}

}  // namespace

void Add(Arguments& arguments, SimulateOptions& options) {
  Add(arguments, options.model);
  Add(arguments, options.model.lowering);
  AddDump(arguments, options.model.lowering);
  Add(arguments, ReportFormats(false), options.output);
  arguments.Text({.name = "--trace",
                  .help = "write the step and its loop as a trace for Perfetto "
                          "(ui.perfetto.dev) or chrome://tracing",
                  .group = kOutputGroup,
                  .type = "FILE"},
                 options.trace);
  AddArray(arguments, options);
  AddVerbose(arguments, options.output);
}

absl::StatusOr<int> RunSimulate(const SimulateOptions& options) {
  if (!options.array.empty()) return RunSystolic(options);
  TW_ASSIGN_OR_RETURN(const Report report, SimulateInput(options.model));
  if (!options.trace.empty()) {
    TW_RETURN_IF_ERROR(WriteOutput(RenderTrace(report), options.trace));
  }
  TW_RETURN_IF_ERROR(WriteReport(report, options.output));
  return kExitClean;
}

}  // namespace tilewise
