// The report as Markdown for pull requests and issues: the same sentences and
// tables as the text report, without excerpts.

#include <fmt/format.h>

#include "report/finding_lines.h"
#include "report/renderers.h"
#include "report/summary_lines.h"
#include "report/tables.h"
#include "report/text.h"
#include "report/verdict.h"

namespace tilewise {
namespace {

// The op that the finding is about, where the file has no lines to link to.
std::string OpCode(const Diagnostic& finding) {
  if (!finding.op_line || finding.location.line > 0) return "";
  return fmt::format("  - op: {}\n", EscapeMarkdown(finding.op_line->text));
}

std::string Findings(const std::vector<Diagnostic>& findings) {
  std::string text;
  for (const Diagnostic& finding : findings) {
    text += fmt::format("- **{}** {}: {} ({})\n", SeverityName(finding.severity),
                        EscapeMarkdown(FormatLocation(finding.location)),
                        EscapeMarkdown(finding.message), RuleInWords(finding));
    text += OpCode(finding);
    const std::string cost = CostInWords(finding.cost);
    if (!cost.empty() && !SavesTheCost(finding)) {
      text += fmt::format("  - cost: {}\n", EscapeMarkdown(cost));
    }
    if (finding.saving) {
      text += fmt::format("  - {}\n", EscapeMarkdown(SavingInWords(*finding.saving)));
    }
    if (!finding.fix.text.empty()) {
      text += fmt::format("  - {}: {}\n", FixLabel(finding.fix), EscapeMarkdown(finding.fix.text));
    }
  }
  return text;
}

std::string Summary(const Report& report) {
  std::string text = CountsInWords(report) + ".\n";
  if (!report.reachable) return text;
  for (const std::string& sentence : ReachableSentences(*report.reachable)) {
    text += "\n" + EscapeMarkdown(sentence) + "\n";
  }
  return text;
}

std::string Failures(const std::vector<std::string>& failures) {
  std::string text;
  for (const std::string& failure : failures) {
    text += fmt::format("- {}\n", EscapeMarkdown(failure));
  }
  return text;
}

std::string Section(std::string_view title, const std::string& body) {
  if (body.empty()) return "";
  return fmt::format("\n## {}\n\n{}", title, body);
}

std::string OrEmpty(const Table& table) { return table.empty() ? "" : table.Markdown(); }

std::string TuningBody(const Tuning& tuning, const RunSetting& setting) {
  std::string text;
  if (!tuning.contenders.empty()) {
    text += EscapeMarkdown(EffortInWords(tuning.effort)) + ".\n\n";
    text += OrEmpty(ContenderTable(tuning)) + "\n";
  }
  text += OrEmpty(CurveTable(tuning, setting));
  for (const std::string& sentence : {tuning.why, tuning.learning_rate}) {
    if (!sentence.empty()) text += "\n" + EscapeMarkdown(sentence) + "\n";
  }
  for (const std::string& constraint : tuning.constraints) {
    text += "\nConstraint: " + EscapeMarkdown(constraint) + "\n";
  }
  const std::string executions = OrEmpty(ExecutionTable(tuning));
  return executions.empty() ? text : text + "\n" + executions;
}

std::string MemoryBody(const Report& report) {
  if (!report.program) return "";
  const Memory& memory = report.program->memory;
  std::string text = fmt::format("HBM peak {} ({} to {}) of {} per {} ({}).\n",
                                 FormatBytes(memory.peak), FormatBytes(LowPeak(report)),
                                 FormatBytes(HighPeak(report)), FormatBytes(memory.available),
                                 report.device, MemoryVerdictName(VerdictOn(report)));
  if (report.memory_use) {
    text += "\n" + MemoryTable(*report.memory_use).Markdown();
  }
  for (const Table& table : {BufferTable(report.largest), RemedyTable(report.remedies)}) {
    if (!table.empty()) text += "\n" + table.Markdown();
  }
  return text;
}

}  // namespace

std::string RenderMarkdown(const Report& report, const RenderOptions& options) {
  std::string text =
      fmt::format("# tilewise {}: {}\n\n", report.command, EscapeMarkdown(report.workload));
  for (const std::string& sentence : VerdictSentences(report)) {
    text += EscapeMarkdown(sentence) + "\n";
  }
  text += fmt::format("\n*({})*\n", EstimateLabel(report));
  text += Section("Findings: " + CountFindings(report.findings), Findings(report.findings));
  text += Section("Where the device time goes",
                  OrEmpty(OpTable(options.verbose ? report.ops : JoinEqualLayers(report.ops),
                                  options.verbose, report.split.has_value())));
  if (report.split) {
    text += Section("What the time of a step is spent on", OrEmpty(LossTable(*report.split)));
  }
  text += Section("Memory", MemoryBody(report));
  text += Section("Input pipeline", OrEmpty(StageTable(report.stages)));
  if (report.tuning) text += Section("Batch size", TuningBody(*report.tuning, report));
  text += Section("Not read or not resolved", Findings(report.notes));
  text += Section("Not linted", Failures(report.failures));
  text += Section("Programs", OrEmpty(ProgramTable(report.programs, options.verbose)));
  if (report.statistics) {
    text += Section("Statistics", OrEmpty(StatisticsTable(CountByRule(report))));
  }
  if (report.command == "lint" || report.command == "advise") {
    text += Section("Summary", Summary(report));
  }
  return text;
}

}  // namespace tilewise
