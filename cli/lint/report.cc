// Fields are copied and merged; indices of findings follow them.

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "advice/worth_saying.h"
#include "cli/lint/run.h"
#include "frontend/files/cpp_files.h"
#include "lint/suppression.h"
#include "workload/cpp_path.h"

namespace tilewise {
namespace {

Seconds SavingOf(const Diagnostic& finding) {
  return finding.saving ? finding.saving->time_per_step : Seconds{};
}

Seconds CostOf(const Diagnostic& finding) { return finding.cost.time_per_step.value_or(Seconds{}); }

// What does not run comes first, whatever the others gain.
bool DearerFirst(const Diagnostic& a, const Diagnostic& b) {
  if (StopsTheRun(a) != StopsTheRun(b)) return StopsTheRun(a);
  if (SavingOf(a) != SavingOf(b)) return SavingOf(a) > SavingOf(b);
  if (CostOf(a) != CostOf(b)) return CostOf(a) > CostOf(b);
  return ReportsBefore(a, b);
}

void DescribeOne(const LintedProgram& program, Report& report) {
  static_cast<RunSetting&>(report) = program.setting;
  report.reachable = program.reachable;
  report.timeline = program.timeline;
  report.estimate = program.estimate;
  AddTimeRange(report);
}

ProgramSummary SummaryOf(const ProgramRun& run) {
  const LintedProgram& program = *run.linted;
  ProgramSummary summary;
  summary.name = fmt::format("{}", fmt::join(run.options.files(), ", "));
  summary.findings = static_cast<int64_t>(program.findings.size());
  if (!program.timeline) return summary;
  summary.target = program.setting.target;
  summary.batch_per_core = program.setting.batch_per_core;
  summary.global_batch = program.setting.global_batch;
  summary.step = program.timeline->step;
  summary.mxu_use = program.timeline->mxu_use;
  summary.reachable = program.reachable;
  return summary;
}

// The layers of all programs, and the share of them that was costed.
void AddLayers(const RunSetting& program, Report& report) {
  const double costed = report.costed_share * static_cast<double>(report.layers) +
                        program.costed_share * static_cast<double>(program.layers);
  report.layers += program.layers;
  if (report.layers > 0) {
    report.costed_share = costed / static_cast<double>(report.layers);
  }
}

void DescribeAll(const LintRun& run, const std::vector<const LintedProgram*>& programs,
                 Report& report) {
  report.workload = fmt::format("{} programs", programs.size());
  report.target = programs.front()->setting.target;
  report.cores = programs.front()->setting.cores;
  report.training = false;
  for (const LintedProgram* program : programs) {
    report.training |= program->setting.training;
    if (program->setting.target != report.target) report.target = "several targets";
    AddLayers(program->setting, report);
  }
  for (const ProgramRun& program : run.programs) {
    if (program.linted) report.programs.push_back(SummaryOf(program));
  }
}

// Several programs may have a finding at one location in a module that they share: the most
// expensive speaks for all. `programs`: the number of each finding's program. The result has the
// index of the finding that speaks for each.
std::vector<size_t> FoldShared(const std::vector<size_t>& programs,
                               std::vector<Diagnostic>& findings) {
  std::map<std::pair<std::string, Location>, size_t> first;
  std::vector<size_t> spoken(findings.size());
  std::vector<std::set<size_t>> others(findings.size());
  for (size_t i = 0; i < findings.size(); ++i) {
    spoken[i] = i;
    if (!findings[i].location.known()) continue;
    const auto [at, is_new] = first.try_emplace({findings[i].rule, findings[i].location}, i);
    if (is_new || programs[at->second] == programs[i]) continue;
    spoken[i] = at->second;
    others[at->second].insert(programs[i]);
  }
  for (size_t i = 0; i < findings.size(); ++i) {
    if (others[i].empty()) continue;
    findings[i].message += fmt::format("; the same in {} more program{}", others[i].size(),
                                       others[i].size() == 1 ? "" : "s");
  }
  return spoken;
}

// Sorts, and moves the indices of each program's `reachable` to the new order.
void SortFindings(const std::vector<const LintedProgram*>& programs, Report& report) {
  std::vector<size_t> order(report.findings.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    return DearerFirst(report.findings[a], report.findings[b]);
  });
  std::vector<size_t> owners, owners_sorted;
  for (size_t i = 0; i < programs.size(); ++i) {
    owners.insert(owners.end(), programs[i]->findings.size(), i);
  }
  std::vector<Diagnostic> sorted;
  for (const size_t at : order) {
    sorted.push_back(std::move(report.findings[at]));
    owners_sorted.push_back(owners[at]);
  }
  const std::vector<size_t> spoken = FoldShared(owners_sorted, sorted);
  std::vector<int32_t> kept(sorted.size()), place(sorted.size());
  report.findings.clear();
  for (size_t i = 0; i < sorted.size(); ++i) {
    kept[i] = spoken[i] == i ? static_cast<int32_t>(report.findings.size()) : kept[spoken[i]];
    if (spoken[i] == i) report.findings.push_back(std::move(sorted[i]));
    place[order[i]] = kept[i];
  }
  size_t before = 0;
  for (size_t i = 0; i < programs.size(); ++i) {
    std::optional<Reachable>& reachable = report.programs[i].reachable;
    const auto move = [&](std::vector<int32_t>& indices) {
      for (int32_t& index : indices) {
        index = place[before + static_cast<size_t>(index)];
      }
    };
    if (reachable) move(reachable->safe_fixes);
    if (reachable) move(reachable->all_fixes);
    before += programs[i]->findings.size();
  }
}

void AddFiles(const LintedProgram& program, std::set<std::string>& seen, Report& report) {
  for (const SourceFile& file : program.files) {
    if (file.text.empty() && file.cells.empty()) continue;
    if (seen.insert(file.path).second) report.files.push_back(file);
  }
}

void AddProgram(const ProgramRun& run, std::set<std::string>& seen, Report& report) {
  const LintedProgram& program = *run.linted;
  report.findings.insert(report.findings.end(), program.findings.begin(), program.findings.end());
  report.notes.insert(report.notes.end(), program.notes.begin(), program.notes.end());
  report.too_small.insert(report.too_small.end(), program.too_small.begin(),
                          program.too_small.end());
  for (const SuppressedFinding& silent : program.suppressed) {
    report.silenced.push_back(
        {.finding = silent.finding, .in_source = silent.in_source, .reason = silent.reason});
  }
  report.counts.suppressed += static_cast<int64_t>(program.suppressed.size());
  report.counts.baselined += run.baselined;
  AddFiles(program, seen, report);
}

Diagnostic PassedOver(std::string message) {
  Diagnostic note;
  note.rule = "RD003";
  note.name = "nothing-read";
  note.severity = Severity::kInfo;
  note.message = std::move(message);
  return note;
}

// What a walk met and left out; the C++ sources that a build without Clang leaves out are one note.
void AddPassedOver(const LintRun& run, Report& report) {
  int64_t of_cpp = 0;
  std::string first;
  for (const ProgramRun& program : run.programs) {
    if (program.passed_over.empty()) continue;
    if (ReadsCpp() || !IsCppPath(program.options.files().front())) {
      report.notes.push_back(PassedOver("passed over as no program: " + program.passed_over));
    } else if (++of_cpp == 1) {
      first = program.passed_over;
    }
  }
  if (of_cpp == 0) return;
  report.notes.push_back(PassedOver(
      fmt::format("{} passed over: {}",
                  of_cpp == 1 ? "1 C++ source" : fmt::format("{} C++ sources", of_cpp), first)));
}

// Whether nothing was read of a file that the user named because no framework is in it.
bool NamesNoFramework(const ProgramRun& run, bool walked) {
  const LintedProgram& program = *run.linted;
  // Why no model was read is said of programs alone.
  const bool is_program =
      std::ranges::find(program.notes, "RD005", &Diagnostic::rule) != program.notes.end();
  const bool read = walked || is_program || !program.findings.empty() ||
                    !program.suppressed.empty() || program.setting.layers > 0 ||
                    run.baselined > 0 || run.options.files().size() != 1;
  const bool says =
      std::ranges::find(program.notes, "nothing-read", &Diagnostic::name) != program.notes.end();
  return !read && (says || MayBeNoProgram(run.options.files().front()));
}

Diagnostic NoProgram(const ProgramRun& program) {
  Diagnostic note;
  note.rule = "RD003";
  note.name = "no-program";
  note.severity = Severity::kInfo;
  note.location.file = program.options.files().front();
  note.message = "nothing was checked: the file names no framework that tilewise reads";
  return note;
}

// Entries of each configuration that silenced nothing in any of its programs.
absl::Status AddUnusedEntries(const LintRun& run, Report& report) {
  struct Use {
    const ProgramRun* program = nullptr;
    std::set<size_t> entries;
    LintedFiles linted;
    std::set<std::string> seen;
  };
  std::vector<Use> uses;
  for (const ProgramRun& program : run.programs) {
    if (!program.linted) continue;
    const LintConfig* config = program.options.model.config.found.get();
    auto use = std::ranges::find_if(uses, [&](const Use& other) {
      return other.program->options.model.config.found.get() == config;
    });
    if (use == uses.end()) {
      use = uses.insert(use, Use{.program = &program});
      use->linted.walked = run.plan.walked;
    }
    use->entries.insert(program.linted->used_entries.begin(), program.linted->used_entries.end());
    for (const std::string& file : program.options.files()) {
      if (use->seen.insert(file).second) use->linted.files.push_back(file);
    }
  }
  for (const Use& use : uses) {
    const LintOptions& options = use.program->options;
    if (options.config().suppress.empty()) continue;
    TW_ASSIGN_OR_RETURN(const RuleConfig rules,
                        RulesFor(options.config(), options.rules.overrides, ""));
    for (Diagnostic& finding : UnusedEntries(options.config(), rules, use.entries, use.linted)) {
      report.findings.push_back(std::move(finding));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Report> ReportOf(const LintRun& run, const LintOptions& options) {
  Report report;
  report.version = TILEWISE_VERSION;
  report.command = "lint";
  report.statistics = options.statistics;
  report.failures = FailuresOf(run);
  AddPassedOver(run, report);
  std::vector<const LintedProgram*> programs;
  std::set<std::string> seen;
  for (size_t i = 0; i < run.programs.size(); ++i) {
    const ProgramRun& program = run.programs[i];
    if (!program.linted) continue;
    if (NamesNoFramework(program, run.plan.programs[i].walked)) {
      report.notes.push_back(NoProgram(program));
    }
    programs.push_back(&*program.linted);
    AddProgram(program, seen, report);
  }
  if (programs.size() == 1) DescribeOne(*programs.front(), report);
  if (programs.size() > 1) {
    DescribeAll(run, programs, report);
    SortFindings(programs, report);
  }
  TW_RETURN_IF_ERROR(AddUnusedEntries(run, report));
  return report;
}

}  // namespace tilewise
