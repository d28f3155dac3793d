// The whole program: files in, findings and the best settings out.

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "cli/command.h"
#include "cli/file_batch.h"
#include "cli/findings.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/tune/tune.h"

namespace tilewise {
namespace {

struct AdviseOptions {
  ModelOptions model;
  SearchOptions search;
  RuleOptions rules;
  OutputOptions output;
};

void Add(Arguments& arguments, AdviseOptions& options) {
  Add(arguments, options.model);
  Add(arguments, options.model.lowering);
  Add(arguments, options.search);
  Add(arguments, "error", options.rules);
  Add(arguments, ReportFormats(true, true), options.output);
  AddReports(arguments, ReportFormats(true, true), options.output);
  AddVerbose(arguments, options.output);
}

void AddFindings(Findings found, const std::string& file, Report& report) {
  if (auto note = NoteOnTooSmall(found.too_small, file)) report.notes.push_back(*std::move(note));
  report.too_small = std::move(found.too_small);
  report.reachable = std::move(found.reachable);
  report.findings = std::move(found.left.findings);
  report.counts.suppressed = static_cast<int64_t>(found.left.suppressed.size());
  report.files = std::move(found.files);
}

void WarnOfUnmatchedDims(const AdviseOptions& options, const Session& session) {
  const std::string from = options.model.config.FromOf("fixed-dims");
  for (const auto& [word, hint] : UnmatchedDims(options.rules.fixed_dims, session)) {
    Say("warning", UnmatchedDimInWords(from, word, hint));
  }
}

// What the search finds; nothing where the batch of the program cannot be told
// apart from its other sizes, which a note says: its findings stand without.
absl::StatusOr<std::optional<Tuning>> Search(const Session& session, const SearchOptions& options) {
  if (session.Step() == nullptr) return std::nullopt;
  absl::StatusOr<Tuning> tuning = Tune(session, options);
  if (tuning.ok()) return *std::move(tuning);
  const bool is_fixed = std::ranges::any_of(
      session.workload().notes, [](const Diagnostic& note) { return note.name == kBatchNotFound; });
  if (!is_fixed) return tuning.status();
  return std::nullopt;
}

absl::StatusOr<int> RunAdvise(const AdviseOptions& options) {
  const ModelOptions& model = options.model;
  TW_ASSIGN_OR_RETURN(const RuleConfig rules, RulesFor(*model.config.found, options.rules.overrides,
                                                       model.inputs.files.front()));
  TW_ASSIGN_OR_RETURN(const Loaded loaded,
                      Load(model, {.tries_batches = true, .fixed_dims = options.rules.fixed_dims}));
  TW_ASSIGN_OR_RETURN(const auto session, MakeSession(loaded));
  const Simulated* step = session->Step();
  const LoopTimeline* loop = session->Loop();
  Findings findings = RunRules(*session, model, rules);
  TW_ASSIGN_OR_RETURN(std::optional<Tuning> tuning, Search(*session, options.search));
  WarnOfUnmatchedDims(options, *session);
  Report report = ReportOn("advise", *session);
  AddStep(step, report);
  AddLoop(loop, report);
  AddTables(session->facts(), report);
  AddFindings(std::move(findings), model.inputs.files.front(), report);
  report.tuning = std::move(tuning);
  AddRemedies(*session, report);
  TW_RETURN_IF_ERROR(Render(report, options.output));
  return ExitCode(report.findings, options.rules);
}

}  // namespace

TW_RUNS_COMMAND(Advise, RunAdvise)

}  // namespace tilewise
