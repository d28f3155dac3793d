// Where there is a host loop its step is what a user waits for, so that one is
// compared; when a fix changes the batch, the time per example.
// A saving counts when its fix is among those that help together; without such
// a list every positive one does.

#include "report/summary_lines.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "report/verdict.h"

namespace tilewise {
namespace {

Seconds StepOf(const Outcome& outcome) {
  return AveragesSteps(outcome) ? outcome.wall_step : outcome.step;
}

constexpr std::string_view kOnTheDevice = " of device time";

// What is compared, before and after.
struct TimePair {
  std::string_view of;  // "step", "example"
  Seconds now, then;
  std::string_view kind = {};  // " on average", kOnTheDevice

  double speedup() const { return then.value > 0 ? now / then : 1; }
  bool differs() const { return std::abs(speedup() - 1) >= 0.005; }
};

TimePair ComparedTimes(const Outcome& now, const Outcome& then) {
  constexpr double kSameBatch = 0.005;
  const std::string_view kind = AveragesSteps(now) ? " on average" : "";
  const TimePair steps = {"step", StepOf(now), StepOf(then), kind};
  const TimePair examples = {"example", now.per_example, then.per_example, kind};
  // The loop takes so long that it hides what the device gains.
  const TimePair device = {"step", now.step, then.step, kOnTheDevice};
  const bool hidden =
      AveragesSteps(now) && !steps.differs() && now.global_batch == then.global_batch;
  if (hidden && device.differs()) return device;
  if (now.per_example.value <= 0 || then.per_example.value <= 0) return steps;
  const double batches = examples.speedup() / steps.speedup();
  return std::abs(batches - 1) < kSameBatch ? steps : examples;
}

std::string Faster(const TimePair& times) {
  const double speedup = times.speedup();
  if (speedup >= 1.005) return fmt::format("{:.2f}x faster", speedup);
  if (speedup <= 0.995) return fmt::format("{:.2f}x slower", 1 / speedup);
  return "as fast";
}

std::string Sentence(const Outcome& now, const Outcome& then, const std::string& fixes) {
  const TimePair times = ComparedTimes(now, then);
  std::string text = fmt::format(
      "With {} a{} {} takes {}{} instead of {} ({})", fixes, times.of == "example" ? "n" : "",
      times.of, FormatSeconds(times.then), times.kind, FormatSeconds(times.now), Faster(times));
  const std::string use_now = FormatPercent(now.mxu_use);
  const std::string use_then = FormatPercent(then.mxu_use);
  if (use_now != use_then) {
    text += fmt::format(", the MXU does useful work {} of the device time instead of {}", use_then,
                        use_now);
  }
  const std::string peak_now = FormatBytes(now.peak);
  const std::string peak_then = FormatBytes(then.peak);
  if (peak_now != peak_then) {
    text += fmt::format(", the HBM peak is {} instead of {}", peak_then, peak_now);
  }
  return text + ".";
}

std::string FixCount(std::string_view kind, size_t count) {
  if (count == 1) return fmt::format("the one {}", kind);
  return fmt::format("the {} {}es", count, kind);
}

// Fixes that are edits, so that a command can make them.
std::string Fixable(const Report& report) {
  int64_t safe = 0, unsafe = 0;
  for (const Diagnostic& finding : report.findings) {
    if (finding.fix.edits.empty()) continue;
    safe += finding.fix.applicability == Applicability::kSafe;
    unsafe += finding.fix.applicability == Applicability::kUnsafe;
  }
  if (safe == 0 && unsafe == 0) return "";
  if (safe == 0) {
    return fmt::format("; {} can be fixed by --fix --unsafe-fixes", unsafe);
  }
  std::string text = fmt::format("; {} can be fixed by --fix", safe);
  if (unsafe > 0) text += fmt::format(", {} more by --unsafe-fixes", unsafe);
  return text;
}

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

// What was looked at, where nothing was found.
std::string ReadInWords(const Report& report) {
  if (report.programs.size() > 1) {
    const auto simulated = std::ranges::count_if(
        report.programs, [](const ProgramSummary& program) { return program.step.value > 0; });
    return fmt::format(" in {} programs, {} of them with a model that was simulated",
                       report.programs.size(), simulated);
  }
  if (report.layers == 0)
    return report.read_besides.empty() ? "" : fmt::format(" in {}", report.read_besides);
  return fmt::format(" in a model of {} layer{}", FormatCount(report.layers),
                     report.layers == 1 ? "" : "s");
}

}  // namespace

bool AveragesSteps(const Outcome& outcome) { return outcome.wall_step.value > 0; }

std::string CountsInWords(const Report& report) {
  std::string others;
  const auto add = [&](int64_t count, std::string_view words) {
    if (count == 0) return;
    others += fmt::format("{}{} {}", others.empty() ? "; " : ", ", FormatCount(count), words);
  };
  add(report.counts.suppressed, "suppressed");
  add(report.counts.baselined, "in the baseline");
  add(report.counts.fixed, "fixed");
  if (report.findings.empty()) others += ReadInWords(report);
  const auto unread = std::ranges::count(report.notes, "RD005", &Diagnostic::rule);
  if (unread == 1) others += "; the model was not read";
  if (unread > 1) add(unread, "models were not read");
  const auto other = std::ranges::count(report.notes, "no-program", &Diagnostic::name);
  if (other == 1) others += "; a file names no framework, so that nothing of it was checked";
  if (other > 1) add(other, "files name no framework, so that nothing of them was checked");
  return CountFindings(report.findings) + others + Fixable(report);
}

std::vector<std::string> ReachableSentences(const Reachable& reachable) {
  std::vector<std::string> sentences;
  const size_t safe = reachable.safe_fixes.size();
  const size_t all = reachable.all_fixes.size();
  if (safe > 0) {
    sentences.push_back(Sentence(reachable.now, reachable.safe, FixCount("safe fix", safe)));
  }
  if (all > 0 && reachable.all_fixes != reachable.safe_fixes) {
    const std::string fixes =
        all == 1 ? "the one fix that helps" : fmt::format("all {} fixes that help", all);
    sentences.push_back(Sentence(reachable.now, reachable.all, fixes));
  }
  if (reachable.not_simulated > 0) {
    sentences.push_back(
        fmt::format("{} more fixes were not simulated: those of the findings that cost least.",
                    FormatCount(reachable.not_simulated)));
  }
  return sentences;
}

std::string ReachedInWords(const Outcome& now, const Outcome& then, bool applied) {
  if (!applied) return "";
  const TimePair times = ComparedTimes(now, then);
  const std::string_view per = times.of == "example"        ? " per example"
                               : times.kind == kOnTheDevice ? kOnTheDevice
                                                            : "";
  return fmt::format("{}{}, {}", FormatSeconds(times.then), per, Faster(times));
}

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
               {"saves a step"},
               {"of HBM"}});
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
