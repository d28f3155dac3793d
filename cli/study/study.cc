// What `tune --study` has kept: the studies of a database, one of them, its
// trials as a table for other programs, several next to each other.

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "cli/command.h"
#include "cli/options/arguments.h"
#include "cli/options/output_options.h"
#include "cli/output.h"
#include "cli/study/csv.h"
#include "report/listing.h"
#include "tuner/study/read.h"
#include "tuner/study/schema.h"

namespace tilewise {
namespace {

struct StudyOptions {
  std::string what;   // "list"
  std::string where;  // a file or URL
  std::vector<std::string> studies;
  OutputOptions output;
};

using StudySections = std::vector<ListingSection>;

constexpr size_t kShownDigits = 8;  // of a study's key
constexpr char kExport[] = "export";
constexpr char kCsv[] = "csv";

ListingCell RateCell(double examples_per_second) {
  if (examples_per_second <= 0) return ListingCell::Unknown();
  return {FormatCount(static_cast<int64_t>(examples_per_second + 0.5)), examples_per_second};
}

ListingCell TimeCell(double seconds) {
  if (seconds <= 0) return ListingCell::Unknown();
  return {FormatSeconds(Seconds{seconds}), seconds};
}

ListingCell SizeCell(int64_t bytes) {
  if (bytes <= 0) return ListingCell::Unknown();
  return {FormatBytes(Bytes{bytes}), bytes};
}

ListingCell CountCell(int64_t count) {
  return count > 0 ? ListingCell::Count(count) : ListingCell::Unknown();
}

ListingCell NameCell(const StoredStudy& study) { return study.key.substr(0, kShownDigits); }

std::string PointInWords(const StoredBest& best) {
  std::string words = fmt::format("{} x {} on {}", FormatCount(best.global_batch),
                                  best.steps_per_execution, best.machine);
  if (!best.changes.empty()) words += " " + best.changes;
  return words;
}

// What `tune` answered or, while it runs, the fastest so far.
absl::StatusOr<StoredBest> BestOf(Database& database, const StoredStudy& study) {
  if (study.best) return *study.best;
  TW_ASSIGN_OR_RETURN(const std::vector<StoredTrial> trials, ReadTrials(database, study.key));
  StoredBest best;
  if (const StoredTrial* fastest = FastestOf(trials)) {
    best = {.setting = fastest->setting,
            .machine = fastest->machine,
            .changes = fastest->changes,
            .batch_per_core = fastest->batch_per_core,
            .global_batch = fastest->global_batch,
            .steps_per_execution = fastest->steps_per_execution,
            .step_s = fastest->step_s,
            .examples_per_second = fastest->examples_per_second,
            .hbm_peak_bytes = fastest->hbm_peak_bytes};
  }
  return best;
}

absl::StatusOr<StudySections> ListStudies(Database& database,
                                          std::span<const StoredStudy> studies) {
  ListingSection section{.title = "studies",
                         .columns = {"study", "program", "target", "objective", "trials", "state",
                                     "started", "best", "examples per second"},
                         .rows = {}};
  for (const StoredStudy& study : studies) {
    TW_ASSIGN_OR_RETURN(const StoredBest best, BestOf(database, study));
    section.rows.push_back(
        {.cells = {NameCell(study), study.program, study.target, study.objective,
                   ListingCell::Count(study.trials),
                   study.finished_at.empty() ? "not finished" : "finished", study.started_at,
                   best.global_batch > 0 ? PointInWords(best) : "none",
                   RateCell(best.examples_per_second)}});
  }
  return StudySections{section};
}

std::string StateOf(const StoredTrial& trial) {
  if (!trial.error.empty()) return trial.error;
  if (!trial.fits) return "does not fit";
  return trial.pruned ? "no better by its estimate" : "";
}

absl::Status AddCurve(Database& database, const StoredStudy& study, ListingSection& section) {
  TW_ASSIGN_OR_RETURN(const StoredBest best, BestOf(database, study));
  TW_ASSIGN_OR_RETURN(const std::vector<StoredTrial> trials, ReadTrials(database, study.key));
  for (const StoredTrial& trial : trials) {
    if (trial.setting != best.setting) continue;
    section.rows.push_back(
        {.cells = {NameCell(study), ListingCell::Count(trial.batch_per_core),
                   CountCell(trial.global_batch), CountCell(trial.steps_per_execution),
                   TimeCell(trial.device_step_s), TimeCell(trial.step_s),
                   RateCell(trial.examples_per_second), SizeCell(trial.hbm_peak_bytes),
                   StateOf(trial)}});
  }
  return absl::OkStatus();
}

// Shows the studies with the curve of the best setting.
absl::StatusOr<StudySections> ShowStudies(Database& database,
                                          std::span<const StoredStudy> studies) {
  TW_ASSIGN_OR_RETURN(StudySections sections, ListStudies(database, studies));
  ListingSection curve{
      .title = "curve",
      .columns = {"study", "batch per core", "global batch", "steps per execution", "device step",
                  "step", "examples per second", "hbm peak", "note"},
      .rows = {}};
  for (const StoredStudy& study : studies) {
    TW_RETURN_IF_ERROR(AddCurve(database, study, curve));
  }
  sections.push_back(std::move(curve));
  return sections;
}

ListingCell ExactCell(double number) {
  if (number <= 0) return ListingCell::Unknown();
  return {fmt::format("{}", number), number};
}

ListingCell ExactCell(int64_t number) {
  if (number <= 0) return ListingCell::Unknown();
  return {fmt::format("{}", number), number};
}

absl::StatusOr<StudySections> ExportStudies(Database& database,
                                            std::span<const StoredStudy> studies) {
  ListingSection section{
      .title = "trials",
      .columns = {"study", "program", "target", "machine", "changes", "batch_per_core",
                  "global_batch", "steps_per_execution", "fits", "pruned", "exhaustive", "error",
                  "device_step_s", "step_s", "examples_per_second", "hbm_peak_bytes",
                  "hbm_available_bytes", "finished_at"},
      .rows = {}};
  const auto word = [](bool yes) { return yes ? "true" : "false"; };
  for (const StoredStudy& study : studies) {
    TW_ASSIGN_OR_RETURN(const std::vector<StoredTrial> trials, ReadTrials(database, study.key));
    for (const StoredTrial& t : trials) {
      section.rows.push_back(
          {.cells = {study.key, study.program, study.target, t.machine, t.changes,
                     ExactCell(t.batch_per_core), ExactCell(t.global_batch),
                     ExactCell(t.steps_per_execution), word(t.fits), word(t.pruned),
                     word(t.exhaustive), t.error, ExactCell(t.device_step_s), ExactCell(t.step_s),
                     ExactCell(t.examples_per_second), ExactCell(t.hbm_peak_bytes),
                     ExactCell(t.hbm_available_bytes), t.finished_at}});
    }
  }
  return StudySections{section};
}

std::string OrdinalOf(size_t place) {
  constexpr std::string_view kNames[] = {"first", "second", "third", "fourth", "fifth"};
  return place < std::size(kNames) ? std::string(kNames[place]) : fmt::format("{}th", place + 1);
}

// A study with what it found best.
struct ComparedStudy {
  const StoredStudy& study;
  StoredBest best;
};

// A row for each figure: the first study's, then each other's with its ratio to the first.
class StudyComparison {
 public:
  explicit StudyComparison(std::span<const ComparedStudy> studies) : studies_(studies) {
    section_ = {.title = "comparison", .columns = {"figure"}, .rows = {}};
    for (size_t i = 0; i < studies.size(); ++i) {
      section_.columns.push_back(OrdinalOf(i));
      if (i > 0) section_.columns.push_back(OrdinalOf(i) + " over first");
    }
  }

  template <class CellOf>
  void AddWords(const char* figure, CellOf cell_of) {
    Add(figure, cell_of, [](const ComparedStudy&) { return 0.0; });
  }
  // A figure of a study's best, with its ratios.
  template <class Figure, class Cell>
  void AddFigure(const char* figure, Figure StoredBest::*member, Cell cell) {
    Add(
        figure, [&](const ComparedStudy& of) { return cell(of.best.*member); },
        [&](const ComparedStudy& of) { return static_cast<double>(of.best.*member); });
  }

  ListingSection section() && { return std::move(section_); }

 private:
  template <class CellOf, class ValueOf>
  void Add(const char* figure, CellOf cell_of, ValueOf value_of) {
    std::vector<ListingCell> cells = {figure};
    for (size_t i = 0; i < studies_.size(); ++i) {
      cells.push_back(cell_of(studies_[i]));
      if (i == 0) continue;
      const double ratio = value_of(studies_[i]) / value_of(studies_[0]);
      const bool has_ratio = std::isfinite(ratio) && ratio > 0;
      cells.push_back(has_ratio ? ListingCell(fmt::format("{:.3f}", ratio), ratio)
                                : ListingCell::Unknown());
    }
    section_.rows.push_back({.cells = std::move(cells)});
  }

  std::span<const ComparedStudy> studies_;
  ListingSection section_;
};

absl::StatusOr<StudySections> CompareStudies(Database& database,
                                             std::span<const StoredStudy> studies) {
  if (studies.size() < 2) {
    return InvalidInput(
        fmt::format("study compare: found {} {}, expected two or more: give their "
                    "names or those of programs",
                    studies.size(), studies.size() == 1 ? "study" : "studies"));
  }
  std::vector<ComparedStudy> compared;
  for (const StoredStudy& study : studies) {
    TW_ASSIGN_OR_RETURN(StoredBest best, BestOf(database, study));
    compared.push_back({study, std::move(best)});
  }
  StudyComparison rows(compared);
  rows.AddWords("study", [](const ComparedStudy& of) { return NameCell(of.study); });
  rows.AddWords("program", [](const ComparedStudy& of) { return ListingCell(of.study.program); });
  rows.AddWords("target", [](const ComparedStudy& of) { return ListingCell(of.study.target); });
  rows.AddWords("trials",
                [](const ComparedStudy& of) { return ListingCell::Count(of.study.trials); });
  rows.AddWords("machine", [](const ComparedStudy& of) { return ListingCell(of.best.machine); });
  rows.AddWords("changes", [](const ComparedStudy& of) { return ListingCell(of.best.changes); });
  rows.AddFigure("global batch", &StoredBest::global_batch, CountCell);
  rows.AddFigure("steps per execution", &StoredBest::steps_per_execution, CountCell);
  rows.AddFigure("step", &StoredBest::step_s, TimeCell);
  rows.AddFigure("examples per second", &StoredBest::examples_per_second,
                 [](double rate) { return RateCell(rate); });
  rows.AddFigure("hbm peak", &StoredBest::hbm_peak_bytes, SizeCell);
  return StudySections{std::move(rows).section()};
}

struct StudyAction {
  std::string_view name;
  bool takes_all;  // where no study is named; else the latest
  absl::StatusOr<StudySections> (*run)(Database& database, std::span<const StoredStudy> studies);
};
constexpr StudyAction kActions[] = {{"list", true, ListStudies},
                                    {"show", false, ShowStudies},
                                    {kExport, true, ExportStudies},
                                    {"compare", true, CompareStudies}};

// Returns the studies that are named by the start of their key or by their
// program, in the order of the names.
absl::StatusOr<std::vector<StoredStudy>> Named(const StudyOptions& options,
                                               const std::vector<StoredStudy>& all) {
  std::vector<StoredStudy> named;
  for (const std::string& name : options.studies) {
    const auto found = std::ranges::find_if(all, [&](const StoredStudy& study) {
      return study.key.starts_with(name) || study.program == name;
    });
    if (found == all.end()) {
      return InvalidInput(fmt::format(
          "{}: found no study '{}', expected the start of a name or a program of 'study list'",
          options.where, name));
    }
    named.push_back(*found);
  }
  return named;
}

void Add(Arguments& arguments, StudyOptions& options) {
  arguments.Text({.name = "WHAT", .help = "list, show, export or compare", .required = true},
                 options.what);
  arguments.Text({.name = "FILE",
                  .help = "what 'tune --study' wrote: a file, or postgresql://USER@HOST/DATABASE",
                  .required = true},
                 options.where);
  arguments.Words({.name = "STUDY",
                   .help = "the start of a study's name, or its program (default: all; of 'show' "
                           "the latest)"},
                  options.studies);
  std::vector<std::string> formats = NamesOf(FormatsOf<Listing>());
  formats.emplace_back(kCsv);
  Add(arguments, formats, options.output);
}

// A table for other programs is CSV, unless it is to be JSON.
bool IsCsv(const StudyOptions& options) {
  return options.output.format == kCsv ||
         (options.what == kExport && options.output.format == "text");
}

absl::StatusOr<int> RunStudy(const StudyOptions& options) {
  std::vector<std::string> names;
  for (const StudyAction& action : kActions) names.emplace_back(action.name);
  const auto action = std::ranges::find(kActions, options.what, &StudyAction::name);
  if (action == std::end(kActions)) {
    return InvalidInput("study: " + UnknownWord(options.what, names));
  }
  TW_ASSIGN_OR_RETURN(const std::unique_ptr<Database> database,
                      OpenStudyDatabase(options.where, Access::kRead));
  TW_ASSIGN_OR_RETURN(std::vector<StoredStudy> studies, ReadStudies(*database));
  if (!options.studies.empty()) {
    TW_ASSIGN_OR_RETURN(studies, Named(options, studies));
  } else if (!action->takes_all && studies.size() > 1) {
    studies.resize(1);
  }
  TW_ASSIGN_OR_RETURN(StudySections sections, action->run(*database, studies));
  if (IsCsv(options)) {
    TW_RETURN_IF_ERROR(WriteOutput(CsvText(sections), options.output.path));
    return kExitClean;
  }
  TW_RETURN_IF_ERROR(Render("study", std::move(sections), options.output));
  return kExitClean;
}

}  // namespace

TW_RUNS_COMMAND(Study, RunStudy)

}  // namespace tilewise
