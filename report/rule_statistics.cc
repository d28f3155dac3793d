// A saving counts when its fix is among those that help together; without such
// a list every positive one does.

#include "report/rule_statistics.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "report/summary_lines.h"
#include "report/verdict.h"

namespace tilewise {
namespace {

constexpr size_t kShownPrograms = 20;

void AddFinding(const Diagnostic& finding, bool counts, RuleCount& row) {
  row.rule = finding.rule;
  row.name = finding.name;
  ++row.findings;
  if (!finding.fix.edits.empty()) {
    row.safe += finding.fix.applicability == Applicability::kSafe;
    row.unsafe += finding.fix.applicability == Applicability::kUnsafe;
  }
  if (!finding.saving || !counts) return;
  if (finding.saving->time_per_step.value > 0) {
    row.time_per_step += finding.saving->time_per_step;
  }
  if (finding.saving->hbm.value > 0) row.hbm += finding.saving->hbm;
}

// Findings whose fixes help together; nothing when that was not looked into.
std::optional<std::set<int32_t>> FixesTogether(const Report& report) {
  std::optional<std::set<int32_t>> fixes;
  const auto add = [&](const std::optional<Reachable>& reachable) {
    if (!reachable) return;
    if (!fixes) fixes.emplace();
    fixes->insert(reachable->all_fixes.begin(), reachable->all_fixes.end());
  };
  add(report.reachable);
  for (const ProgramSummary& program : report.programs) add(program.reachable);
  return fixes;
}

std::string TimeOrNothing(Seconds time) { return time.value > 0 ? FormatSeconds(time) : "-"; }

bool HasSomethingToShow(const ProgramSummary& program) {
  return program.findings > 0 || program.step.value > 0;
}

std::vector<std::string> ProgramCells(const ProgramSummary& program) {
  std::string safe, all;
  if (program.reachable) {
    const Reachable& reachable = *program.reachable;
    safe = ReachedInWords(reachable.now, reachable.safe, !reachable.safe_fixes.empty());
    all = ReachedInWords(reachable.now, reachable.all, !reachable.all_fixes.empty());
  }
  const bool simulated = program.step.value > 0;
  return {program.name,
          FormatCount(program.findings),
          program.target,
          simulated ? FormatCount(program.global_batch) : "",
          TimeOrNothing(program.step),
          simulated ? FormatPercent(program.mxu_use) : "",
          safe,
          all};
}

}  // namespace

std::vector<RuleCount> CountByRule(const Report& report) {
  const std::optional<std::set<int32_t>> together = FixesTogether(report);
  std::map<std::string, RuleCount> by_id;
  for (size_t i = 0; i < report.findings.size(); ++i) {
    const bool counts = !together || together->contains(static_cast<int32_t>(i));
    AddFinding(report.findings[i], counts, by_id[report.findings[i].rule]);
  }
  std::vector<RuleCount> rows;
  rows.reserve(by_id.size());
  for (auto& [id, row] : by_id) rows.push_back(std::move(row));
  std::ranges::stable_sort(rows, std::greater<>(), &RuleCount::findings);
  return rows;
}

Table StatisticsTable(const std::vector<RuleCount>& counts) {
  Table table({{"rule", Align::kLeft},
               {"name", Align::kLeft},
               {"findings"},
               {"--fix"},
               {"--unsafe-fixes"},
               {"saves per step, at most"},
               {"HBM, at most"}});
  for (const RuleCount& row : counts) {
    table.AddRow({row.rule, row.name, FormatCount(row.findings), FormatCount(row.safe),
                  FormatCount(row.unsafe), TimeOrNothing(row.time_per_step),
                  row.hbm.value > 0 ? FormatBytes(row.hbm) : "-"});
  }
  return table;
}

Table ProgramTable(const std::vector<ProgramSummary>& programs, bool all) {
  Table table({{"program", Align::kLeft},
               {"findings"},
               {"target", Align::kLeft},
               {"batch"},
               {"device step"},
               {"MXU use"},
               {"with safe fixes", Align::kLeft},
               {"with all fixes", Align::kLeft}});
  size_t shown = 0;
  for (const ProgramSummary& program : programs) {
    if (!all && (!HasSomethingToShow(program) || shown == kShownPrograms)) {
      continue;
    }
    table.AddRow(ProgramCells(program));
    ++shown;
  }
  return table;
}

}  // namespace tilewise
