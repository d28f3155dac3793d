// The search alone: curve, best point, why. Its trials may be kept in a study,
// and ranks of mpirun share its work.

#include "cli/tune/tune.h"

#include <memory>
#include <optional>
#include <string>

#include "accuracy/ranges.h"
#include "cli/command.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/tune/search_space.h"
#include "hardware/default_chip.h"
#include "lint/parallel.h"
#include "tuner/ranks/ranks.h"
#include "tuner/study/study.h"

namespace tilewise {
namespace {

constexpr int64_t kMostThreads = 256;

struct TuneOptions {
  ModelOptions model;
  SearchOptions search;
  std::string study;  // a file or URL; empty: trials are not kept
  int64_t jobs = 0;   // threads; 0: one per core
  OutputOptions output;
};

void Add(Arguments& arguments, TuneOptions& options) {
  Add(arguments, options.model);
  Add(arguments, options.model.lowering);
  Add(arguments, options.search);
  Arguments group = arguments.InGroup("Search limits");
  group.Text({.name = "--study",
              .help = "keep each trial here as it ends, and go on from those that are there: an "
                      "SQLite file, or postgresql://USER@HOST/DATABASE where machines share it",
              .type = "FILE"},
             options.study);
  group.Number(
      {.name = "--jobs", .help = "threads, of each rank of mpirun (default: one per core)"},
      options.jobs, kMostThreads);
  Add(arguments, ReportFormats(false, true), options.output);
  AddReports(arguments, ReportFormats(false, true), options.output);
  AddPlot(arguments, options.output);
  AddVerbose(arguments, options.output);
}

// --chip all: the default chip, and all others as well.
void SpreadChips(TuneOptions& options) {
  if (options.model.target.chip != "all") return;
  options.model.target.chip = DefaultChipName();
  options.search.knobs.push_back("chip=all");
}

absl::StatusOr<SearchSpace> SpaceFor(const Session& session, const SearchOptions& options) {
  TW_ASSIGN_OR_RETURN(SearchSpace space, SearchSpaceOf(options));
  if (session.Step() != nullptr && session.facts().training) space.memory_range = MemoryRange;
  return space;
}

absl::StatusOr<Tuning> TuneWith(const Session& session, const SearchSpace& space,
                                const Helpers& helpers) {
  ProgressLine progress("trying batch sizes");
  return Tune(session, space, progress.callback(), helpers);
}

// Serves as a rank other than 0, which prints nothing.
absl::StatusOr<int> ServeRank(const Session& session, const SearchSpace& search, const Rank& rank,
                              const MeetingPoint& rank_0) {
  TW_ASSIGN_OR_RETURN(const std::unique_ptr<const Space> space, Space::Make(session, search));
  TW_RETURN_IF_ERROR(ServeCrew(*space, rank_0,
                               {.key = CrewKey(session, search, *space),
                                .name = rank.name,
                                .machine = rank.machine,
                                .stands_by = rank.stands_by,
                                .threads = rank.threads}));
  return kExitClean;
}

absl::StatusOr<Tuning> Search(const Session& session, const SearchSpace& search,
                              const std::string& where, int64_t jobs, Crew* crew) {
  std::unique_ptr<Study> study;
  if (!where.empty()) {
    TW_ASSIGN_OR_RETURN(study, Study::Open(where, IdentityOf(session, search)));
  }
  if (crew != nullptr) {
    TW_ASSIGN_OR_RETURN(const std::unique_ptr<const Space> space, Space::Make(session, search));
    crew->Expect(CrewKey(session, search, *space));
  }
  absl::StatusOr<Tuning> tuning = InvalidInput("nothing was tried");
  ForEachInParallel(1, jobs, [&](size_t) {
    tuning = TuneWith(session, search, {.log = study.get(), .executor = crew});
  });
  if (crew != nullptr) {
    for (const std::string& note : crew->TakeNotes()) Say("warning", note);
  }
  if (study != nullptr && tuning.ok()) {
    const absl::Status finished = study->Finish(*tuning);
    if (!finished.ok()) Say("warning", Message(finished));
  }
  return tuning;
}

absl::StatusOr<int> RunAs(const Rank* rank, const TuneOptions& options) {
  std::optional<MeetingPoint> rank_0;
  if (rank != nullptr && rank->stands_by) {
    TW_ASSIGN_OR_RETURN(rank_0, rank->find_rank_0());
    if (rank_0->machine == rank->machine) return kExitClean;  // rank 0 needs nobody there
  }
  TW_ASSIGN_OR_RETURN(const Loaded loaded, Load(options.model, {.tries_batches = true}));
  TW_ASSIGN_OR_RETURN(const auto session, MakeSession(loaded));
  TW_RETURN_IF_ERROR(RequireModel(*session));
  TW_ASSIGN_OR_RETURN(const SearchSpace search, SpaceFor(*session, options.search));
  if (rank != nullptr && rank->number > 0) {
    if (!rank_0) {
      TW_ASSIGN_OR_RETURN(rank_0, rank->find_rank_0());
    }
    return ServeRank(*session, search, *rank, *rank_0);
  }
  Report report = ReportOn("tune", *session);
  AddStep(session->Step(), report);
  AddLoop(session->Loop(), report);
  TW_ASSIGN_OR_RETURN(report.tuning, Search(*session, search, options.study, options.jobs,
                                            rank == nullptr ? nullptr : rank->crew.get()));
  AddRemedies(*session, report);
  TW_RETURN_IF_ERROR(Render(report, options.output));
  return kExitClean;
}

absl::StatusOr<int> RunTune(const TuneOptions& given) {
  TuneOptions options = given;
  SpreadChips(options);
  TW_ASSIGN_OR_RETURN(const std::optional<Rank> rank, JoinRanks(static_cast<int>(options.jobs)));
  absl::StatusOr<int> code = RunAs(rank ? &*rank : nullptr, options);
  if (code.ok() || !rank || rank->number == 0) return code;
  return Annotate(code.status(), rank->name);
}

}  // namespace

absl::StatusOr<Tuning> Tune(const Session& session, const SearchOptions& options) {
  TW_ASSIGN_OR_RETURN(const SearchSpace space, SpaceFor(session, options));
  return TuneWith(session, space, {});
}

TW_RUNS_COMMAND(Tune, RunTune)

}  // namespace tilewise
