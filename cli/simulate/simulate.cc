// One point, simulated: step, layers, losses, memory, epoch. The point is a
// model, or a program that is lowered already.

#include "cli/command.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/program_file.h"
#include "cli/simulate/systolic.h"
#include "report/renderers.h"

namespace tilewise {
namespace {

struct SimulateOptions {
  ModelOptions model;
  ArrayOptions array;  // instead of the chip
  OutputOptions output;
  std::string trace;  // file for the trace of the step; empty: none
};

void Add(Arguments& arguments, SimulateOptions& options) {
  Arguments group = arguments.InGroup(kOutputGroup);
  Add(arguments, options.model);
  Add(arguments, options.model.lowering);
  AddDump(arguments, options.model.lowering);
  Add(arguments, ReportFormats(false), options.output);
  group.Text({.name = "--trace",
              .help = "write the step and its loop as a trace for Perfetto "
                      "(ui.perfetto.dev) or chrome://tracing",
              .type = "FILE"},
             options.trace);
  Add(arguments, options.array);
  AddVerbose(arguments, options.output);
}

absl::StatusOr<Report> SimulateModel(const ModelOptions& options) {
  TW_ASSIGN_OR_RETURN(const Loaded loaded, Load(options));
  TW_ASSIGN_OR_RETURN(const auto session, MakeSession(loaded));
  TW_RETURN_IF_ERROR(RequireModel(*session));
  TW_RETURN_IF_ERROR(DumpLowering(*session, options.lowering.dump_folder));
  Report report = ReportOn("simulate", *session);
  AddStep(session->Step(), report);
  AddLoop(session->Loop(), report);
  AddTables(session->facts(), report);
  AddMemory(*session, report);
  AddLosses(*session->facts().source, loaded.target, report);
  return report;
}

absl::StatusOr<Report> SimulateInput(const ModelOptions& options) {
  TW_ASSIGN_OR_RETURN(const auto file, ReadProgramFile(options));
  if (!file) return SimulateModel(options);
  Report report = ReportOn("simulate", *file);
  report.ops = MakeOpRows(*report.program, *report.timeline, file->source(), file->target);
  AddLosses(file->source(), file->target, report);
  return report;
}

absl::StatusOr<int> SimulateArray(const SimulateOptions& options) {
  if (!options.trace.empty() || !options.model.lowering.dump_folder.empty() ||
      FindFormat<Listing>(options.output.format) == nullptr) {
    return InvalidInput(
        "found --array with --trace, --dump-lowering or a format of reports, "
        "expected text, json or markdown: an array alone has no timeline");
  }
  return RunSystolic(options.array, options.model, options.output);
}

absl::StatusOr<int> RunSimulate(const SimulateOptions& options) {
  if (!options.array.size.empty()) return SimulateArray(options);
  TW_ASSIGN_OR_RETURN(const Report report, SimulateInput(options.model));
  if (!options.trace.empty()) {
    TW_RETURN_IF_ERROR(WriteOutput(RenderTrace(report), options.trace));
  }
  TW_RETURN_IF_ERROR(Render(report, options.output));
  return kExitClean;
}

}  // namespace

TW_RUNS_COMMAND(Simulate, RunSimulate)

}  // namespace tilewise
