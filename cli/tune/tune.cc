// The search alone: curve, best point, why.

#include "cli/tune/tune.h"

#include "accuracy/ranges.h"
#include "cli/command.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/tune/search_space.h"
#include "hardware/default_chip.h"

namespace tilewise {
namespace {

struct TuneOptions {
  ModelOptions model;
  SearchOptions search;
  OutputOptions output;
};

void Add(Arguments& arguments, TuneOptions& options) {
  Add(arguments, options.model);
  Add(arguments, options.model.lowering);
  Add(arguments, options.search);
  Add(arguments, ReportFormats(false, true), options.output);
  AddReports(arguments, ReportFormats(false, true), options.output);
  AddPlot(arguments, options.output);
  AddVerbose(arguments, options.output);
}

// --chip all: the default chip, and all others beside it.
void SpreadChips(TuneOptions& options) {
  if (options.model.target.chip != "all") return;
  options.model.target.chip = DefaultChipName();
  options.search.knobs.push_back("chip=all");
}

absl::StatusOr<int> RunTune(const TuneOptions& given) {
  TuneOptions options = given;
  SpreadChips(options);
  TW_ASSIGN_OR_RETURN(const Loaded loaded, Load(options.model, {.tries_batches = true}));
  TW_ASSIGN_OR_RETURN(const auto session, MakeSession(loaded));
  TW_RETURN_IF_ERROR(RequireModel(*session));
  Report report = ReportOn("tune", *session);
  AddStep(session->Step(), report);
  AddLoop(session->Loop(), report);
  TW_ASSIGN_OR_RETURN(report.tuning, Tune(*session, options.search));
  TW_RETURN_IF_ERROR(Render(report, options.output));
  return kExitClean;
}

}  // namespace

absl::StatusOr<Tuning> Tune(const Session& session, const SearchOptions& options) {
  TW_ASSIGN_OR_RETURN(SearchSpace space, SearchSpaceOf(options));
  if (session.Step() != nullptr && session.facts().training) space.memory_range = MemoryRange;
  ProgressLine progress("trying batch sizes");
  return Tune(session, space, progress.callback());
}

TW_RUNS_COMMAND(Tune, RunTune)

}  // namespace tilewise
