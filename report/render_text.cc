// The report for a terminal: the answer first, then the findings, then the
// tables that they rest on; last what the findings come to.
// A section is "" when it has nothing to say.

#include <algorithm>

#include <fmt/format.h>

#include "report/curve.h"
#include "report/file_lines.h"
#include "report/finding_lines.h"
#include "report/folder_text.h"
#include "report/renderers.h"
#include "report/summary_lines.h"
#include "report/tables.h"
#include "report/text.h"
#include "report/too_small_text.h"
#include "report/verdict.h"

namespace tilewise {
namespace {

constexpr std::string_view kIndent = "    ";

std::string Gutter(int64_t line) {
  return line > 0 ? fmt::format("{}{:>5} | ", kIndent, line) : fmt::format("{}      | ", kIndent);
}

// The user's line, or that of the op where the file has no lines.
std::string ExcerptLines(const Diagnostic& finding, const FileLines& files, int width) {
  constexpr int kGutter = 12;
  std::optional<Excerpt> excerpt = FindExcerpt(files, finding.location, width - kGutter);
  if (!excerpt && finding.op_line) {
    excerpt = ExcerptOfOp(*finding.op_line, width - kGutter);
  }
  if (!excerpt) return "";
  std::string text = Gutter(excerpt->line) + excerpt->text + "\n";
  if (excerpt->caret >= 0) {
    const size_t before = excerpt->caret;
    const size_t marked = excerpt->carets;
    text += fmt::format("{}{}{}\n", Gutter(0), std::string(before, ' '), std::string(marked, '^'));
  }
  return text;
}

// "place: severity: rule: message"; coloured after wrapping, so that escape
// sequences do not count as width.
std::string Headline(const Diagnostic& finding, const RenderOptions& options) {
  const Style style(options.color);
  const std::string place = finding.location.known() ? FormatLocation(finding.location) + ": " : "";
  const std::string severity(SeverityName(finding.severity));
  const std::string message =
      fmt::format("{}: {}: {}", severity, RuleInWords(finding), finding.message);
  std::string text = Wrap(place + message, options.width, "", kIndent.substr(2));
  const std::string clean = Printable(place);
  const size_t at = text.find(severity + ":", clean.size());
  if (options.color && at != std::string::npos) {
    text.replace(at, severity.size(), style.Name(finding.severity));
  }
  return text;
}

std::string Line(std::string_view label, const std::string& value, int width) {
  if (value.empty()) return "";
  const std::string first = fmt::format("{}{}: ", kIndent, label);
  return Wrap(value, width, first, std::string(kIndent) + "  ");
}

std::string Sentence(const std::string& value, int width) {
  if (value.empty()) return "";
  return Wrap(value, width, kIndent, std::string(kIndent) + "  ");
}

std::string FindingText(const Diagnostic& finding, const FileLines& files,
                        const RenderOptions& options) {
  std::string text = Headline(finding, options);
  text += ExcerptLines(finding, files, options.width);
  if (!SavesTheCost(finding)) {
    text += Line("cost", CostInWords(finding.cost), options.width);
  }
  if (finding.saving) {
    text += Sentence(SavingInWords(*finding.saving), options.width);
  }
  text += Line(FixLabel(finding.fix), finding.fix.text, options.width);
  std::string related;
  for (const std::string& id : finding.related) {
    related += (related.empty() ? "" : ", ") + id;
  }
  text += Line("speaks also for", related, options.width);
  return text;
}

std::string TextFindings(const Report& report, const RenderOptions& options) {
  if (report.findings.empty()) return "";  // the summary says so
  if (IsShort(report, options)) return FindingsByFile(report, options);
  const Style style(options.color);
  const FileLines files(report.files);
  std::string text = style.Bold("Findings") + ": " + CountFindings(report.findings) + "\n";
  for (const Diagnostic& finding : report.findings) {
    text += "\n" + FindingText(finding, files, options);
  }
  return text;
}

// What was assumed on the way changes no verdict; what was not read may.
bool Matters(const Diagnostic& note) {
  const bool assumed = note.rule == "RD002" || note.rule == "RD003" || note.rule == "RD006";
  return note.severity >= Severity::kWarning || !assumed;
}

// Whether the note says what stands in for a value of a program whose model was not read: another
// note has the reason, and no figure rests on it.
bool IsOfNoModel(const Report& report, const Diagnostic& note) {
  return note.rule == "RD002" && std::ranges::any_of(report.notes, [&](const Diagnostic& other) {
           return other.rule == "RD005" &&
                  (other.location.file == note.location.file || report.programs.size() <= 1);
         });
}

// Whether the note is one on what is too little to be a finding, which the summary says.
bool IsOfSummary(const Report& report, const Diagnostic& note) {
  return note.rule == "RD006" && report.programs.size() <= 1;
}

// The file that the note on it is about: its name is left out.
std::string FileOfNote(const Report& report) {
  const auto note = std::ranges::find(report.notes, "RD006", &Diagnostic::rule);
  return note == report.notes.end() ? "" : note->location.file;
}

// The rules that saw something too little, by reason: a line or two each.
std::string TextTooSmall(const Report& report, const RenderOptions& options) {
  constexpr size_t kMostRules = 10;
  if (report.too_small.empty() || report.programs.size() > 1) return "";
  std::string text =
      "Also seen, and not worth a change here (tilewise explain RULE says what it is):\n";
  const std::string file = FileOfNote(report);
  for (const std::string& clause :
       TooSmallInWords(report.too_small, file, options.verbose ? 0 : kMostRules)) {
    text += Wrap(clause, options.width, "  ", "    ");
  }
  return text;
}

// Shows all notes of `simulate` and its like: there the figures are what is asked for.
bool ShowsNote(const Report& report, const Diagnostic& note, const RenderOptions& options) {
  if (IsOfSummary(report, note)) return false;
  return options.verbose || report.command != "lint" ||
         (Matters(note) && !IsOfNoModel(report, note));
}

std::string TextNotes(const Report& report, const RenderOptions& options) {
  const auto shown = std::ranges::count_if(
      report.notes, [&](const Diagnostic& note) { return ShowsNote(report, note, options); });
  if (shown == 0 || IsShort(report, options)) return "";
  const Style style(options.color);
  std::string text = style.Bold("Not read or not resolved") + "\n";
  for (const Diagnostic& note : report.notes) {
    if (!ShowsNote(report, note, options)) continue;
    const std::string place = note.location.known() ? FormatLocation(note.location) + ": " : "";
    text +=
        Wrap(fmt::format("{}{} [{}]", place, note.message, note.rule), options.width, "  ", "    ");
  }
  const auto hidden = std::ranges::count_if(report.notes, [&](const Diagnostic& note) {
    return Matters(note) && !ShowsNote(report, note, options);
  });
  if (hidden > 0) text += fmt::format("  and {} more (--verbose)\n", hidden);
  return text;
}

std::string TextOps(const Report& report, const RenderOptions& options) {
  if (report.ops.empty()) return "";
  const Style style(options.color);
  std::string text = style.Bold("Where the device time goes");
  if (report.timeline) {
    text +=
        fmt::format(": {} per step at {}", FormatSeconds(report.timeline->step),
                    FormatBatch(report.global_batch, report.batch_per_core, report.batch_share));
  }
  const std::vector<OpRow> rows = options.verbose ? report.ops : JoinEqualLayers(report.ops);
  text += "\n" + OpTable(rows, options.verbose, report.split.has_value()).Text("  ");
  if (!options.verbose && rows.size() > kShownOps) {
    Seconds rest;
    for (size_t i = kShownOps; i < rows.size(); ++i) rest += rows[i].total();
    text += fmt::format("  and {} more rows, {} together (--verbose)\n", rows.size() - kShownOps,
                        FormatSeconds(rest));
  }
  return text;
}

std::string TextLosses(const Report& report, const RenderOptions& options) {
  if (!report.split) return "";
  const Style style(options.color);
  const LossSplit& split = *report.split;
  std::string text = style.Bold("What the time of a step is spent on");
  text += fmt::format(": {} {}\n", FormatSeconds(split.total()),
                      report.loop ? "by the wall clock" : "on the device");
  return text + LossTable(split).Text("  ");
}

// " (21.5 GiB to 26.9 GiB)": where measured peaks lie.
std::string PeakRange(const Report& report) {
  if (!report.memory_range) return "";
  return fmt::format(" ({} to {})", FormatBytes(LowPeak(report)), FormatBytes(HighPeak(report)));
}

std::string TextMemory(const Report& report, const RenderOptions& options) {
  if (!report.program) return "";
  const Style style(options.color);
  const Memory& memory = report.program->memory;
  std::string text = style.Bold("Memory");
  text += fmt::format(
      ": HBM peak {}{} of {} per {} ({}); weights {}, optimizer state {}, inputs {}\n",
      FormatBytes(memory.peak), PeakRange(report), FormatBytes(memory.available), report.device,
      MemoryVerdictName(VerdictOn(report)), FormatBytes(memory.variables),
      FormatBytes(memory.optimizer_state), FormatBytes(memory.arguments));
  if (report.memory_use) text += MemoryTable(*report.memory_use).Text("  ");
  if (!report.largest.empty()) text += BufferTable(report.largest).Text("  ");
  if (!report.remedies.empty()) {
    text += style.Bold("What would make it fit") + "\n";
    text += RemedyTable(report.remedies).Text("  ");
  }
  return text;
}

std::string DispatchNote(const Report& report) {
  if (report.execution_setting.empty()) return "ahead of the device";
  return fmt::format("at {}={}{}{}", report.execution_setting,
                     FormatCount(report.steps_per_execution),
                     report.execution_place.empty() ? "" : ", " + report.execution_place,
                     report.execution_assumed ? ", assumed: none was measured on such a host" : "");
}

std::string FirstBatchNote(const FirstBatch& first) {
  if (first.shuffles <= Seconds{}) return "at least, until it is made";
  return fmt::format("at least; {} of it fills the shuffle buffer", FormatSeconds(first.shuffles));
}

std::string LoopLines(const LoopTimeline& loop, const Report& report) {
  Table table({{"", Align::kLeft}, {"", Align::kRight}, {"", Align::kLeft}});
  table.AddRow({"device step", FormatSeconds(loop.device_step), ""});
  table.AddRow(
      {"input pipeline", FormatSeconds(loop.input),
       loop.input_overlaps ? "overlaps the device (prefetch)" : "the device waits for it"});
  if (!report.files_from.empty()) table.AddRow({"files", "", "from " + report.files_from});
  table.AddRow({"transfer", FormatSeconds(loop.transfer), "host to devices"});
  table.AddRow({"dispatch", FormatSeconds(loop.dispatch), DispatchNote(report)});
  table.AddRow({"wall step", FormatSeconds(loop.step),
                fmt::format("the device waits {} of it", FormatSeconds(loop.exposed_host))});
  if (report.first_batch && report.first_batch->time > Seconds{}) {
    table.AddRow({"first batch", FormatSeconds(report.first_batch->time),
                  FirstBatchNote(*report.first_batch)});
  }
  const std::string text = table.Text("  ");
  return text.substr(text.find('\n') + 1);  // the titles are empty
}

// Names the first epoch only when caches or the host's memory make it longer than the others.
std::string FirstEpoch(const LoopTimeline& loop) {
  if (loop.first_epoch <= loop.epoch) return "";
  return fmt::format("; the first epoch {}, while it fills caches",
                     FormatSeconds(loop.first_epoch));
}

std::string EpochHeading(const LoopTimeline& loop, bool length_assumed) {
  if (loop.steps_per_epoch <= 0 || loop.epoch.value <= 0) {
    return ": steps per epoch unknown (--steps-per-epoch or --examples)";
  }
  return fmt::format(": {} in {} steps{}; device {}, host {} ({})", FormatSeconds(loop.epoch),
                     FormatCount(loop.steps_per_epoch), length_assumed ? ", assumed" : "",
                     FormatSeconds(loop.epoch - loop.epoch_host), FormatSeconds(loop.epoch_host),
                     FormatPercent(loop.epoch_host / loop.epoch)) +
         FirstEpoch(loop);
}

std::string Sentence(std::string_view label, const std::string& sentence, int width) {
  if (sentence.empty()) return "";
  return Wrap(sentence, width, fmt::format("  {}: ", label), "    ");
}

std::string TextEpoch(const Report& report, const RenderOptions& options) {
  if (!report.loop) return "";
  const Style style(options.color);
  std::string text = style.Bold("Epoch") + EpochHeading(*report.loop, report.length_assumed) + "\n";
  text += LoopLines(*report.loop, report);
  if (report.stages.empty()) return text;
  text += "\n" + StageTable(report.stages).Text("  ");
  const bool unknown = std::ranges::any_of(
      report.stages, [](const StageRow& stage) { return !stage.unknown_ops.empty(); });
  if (unknown) {
    text +=
        "  An op of unknown cost counts as one pass over its example; --pipeline STAGE=850us\n"
        "  states what was measured.\n";
  }
  return text;
}

std::string Indented(const std::string& code) {
  std::string text = "  ";
  for (size_t i = 0; i < code.size(); ++i) {
    text += code[i];
    if (code[i] == '\n' && i + 1 < code.size()) text += "  ";
  }
  return text;
}

std::string TextTuning(const Report& report, const RenderOptions& options) {
  if (!report.tuning) return "";
  const Style style(options.color);
  const Tuning& tuning = *report.tuning;
  std::string text;
  if (!tuning.contenders.empty()) {
    text += style.Bold("Settings") + ", best first: " + EffortInWords(tuning.effort) + "\n";
    text += ContenderTable(tuning).Text("  ") + "\n";
  }
  text += style.Bold("Batch size");
  if (!tuning.changes.empty()) text += " with " + tuning.changes;
  text += "\n";
  text += CurveTable(tuning, report).Text("  ");
  text += Sentence("why", tuning.why, options.width);
  text += Sentence("next best", ExplainRunnerUp(tuning), options.width);
  text += Sentence("learning rate", tuning.learning_rate, options.width);
  for (const std::string& constraint : tuning.constraints) {
    text += Sentence("constraint", constraint, options.width);
  }
  if (options.plot) text += "\n" + TextCurve(tuning, options.width);
  if (tuning.executions.size() > 1 && tuning.best) {
    text += "\n" + style.Bold("Steps per execution");
    text += fmt::format(" at batch {}\n", FormatCount(tuning.best->global_batch));
    text += ExecutionTable(tuning).Text("  ");
  }
  const std::string code = CodeToPaste(report);
  if (!code.empty()) text += "\n" + style.Bold("To paste") + "\n" + Indented(code);
  return text;
}

std::string Programs(const Report& report, const RenderOptions& options) {
  if (IsShort(report, options)) return "";
  const Table table = ProgramTable(report.programs, options.verbose);
  if (table.empty()) return "";
  return fmt::format("{}: {}\n{}\n", Style(options.color).Bold("Programs"), report.programs.size(),
                     table.Text("  ", options.width));
}

// What the figures of ReachableSentences are.
std::string Remark(const Reachable& reachable) {
  return fmt::format("(simulated; {}fixes that overlap are counted once)",
                     AveragesSteps(reachable.now)
                         ? "averages are over all steps, slower ones of the first epoch and "
                           "of a partial last batch included; "
                         : "");
}

bool HasFixes(const Reachable& reachable) {
  return !reachable.all_fixes.empty() || !reachable.safe_fixes.empty();
}

std::string TextStatistics(const Report& report, const RenderOptions& options) {
  const bool by_cause = IsShort(report, options) && !report.findings.empty();
  if (!report.statistics && !by_cause) return "";
  const std::string title =
      Style(options.color).Bold(report.statistics ? "Statistics" : "By cause") + "\n";
  const Table table = StatisticsTable(CountByRule(report));
  return title + (table.empty() ? "  no findings\n" : table.Text("  ", options.width));
}

std::string TextSummary(const Report& report, const RenderOptions& options) {
  if (report.command != "lint" && report.command != "advise") return "";
  std::string text = Programs(report, options);
  const Style style(options.color);
  for (const std::string& failure : report.failures) {
    text += Wrap(failure, options.width, style.Name(Severity::kError) + ": ", "  ");
  }
  text += Wrap("Found " + CountsInWords(report) + ".", options.width, "", "  ");
  text += TextTooSmall(report, options);
  if (!report.reachable) return text;
  for (const std::string& sentence : ReachableSentences(*report.reachable)) {
    text += Wrap(sentence, options.width, "", "  ");
  }
  if (HasFixes(*report.reachable)) {
    text += style.Dim(Wrap(Remark(*report.reachable), options.width, "", ""));
  }
  return text;
}

bool HasFigures(const Report& report) {
  return report.timeline || report.estimate || report.tuning;
}

std::string Verdict(const Report& report, const RenderOptions& options) {
  const Style style(options.color);
  std::string text = style.Bold(Printable(report.workload)) + "\n";
  for (const std::string& sentence : VerdictSentences(report)) {
    text += Wrap(sentence, options.width, "  ", "  ");
  }
  if (HasFigures(report)) {
    text += style.Dim(Wrap(fmt::format("({})", EstimateLabel(report)), options.width, "  ", "  "));
  }
  return text;
}

}  // namespace

std::string RenderText(const Report& report, const RenderOptions& options) {
  std::string text = Verdict(report, options);
  for (const auto section : {TextFindings, TextOps, TextLosses, TextMemory, TextEpoch, TextTuning,
                             TextNotes, TextStatistics, TextSummary}) {
    const std::string part = section(report, options);
    if (!part.empty()) text += "\n" + part;
  }
  return text;
}

}  // namespace tilewise
