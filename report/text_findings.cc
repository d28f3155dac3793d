// Findings and notes: place, what was found, the user's line, cost, saving and
// fix.

#include <fmt/format.h>

#include "report/excerpt.h"
#include "report/finding_lines.h"
#include "report/style.h"
#include "report/text_layout.h"
#include "report/text_sections.h"
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

}  // namespace

std::string TextFindings(const Report& report, const RenderOptions& options) {
  if (report.findings.empty()) return "";  // the summary says so
  const Style style(options.color);
  const FileLines files(report.files);
  std::string text = style.Bold("Findings") + ": " + CountFindings(report.findings) + "\n";
  for (const Diagnostic& finding : report.findings) {
    text += "\n" + FindingText(finding, files, options);
  }
  return text;
}

std::string TextNotes(const Report& report, const RenderOptions& options) {
  if (report.notes.empty()) return "";
  const Style style(options.color);
  std::string text = style.Bold("Not read or not resolved") + "\n";
  for (const Diagnostic& note : report.notes) {
    const std::string place = note.location.known() ? FormatLocation(note.location) + ": " : "";
    text +=
        Wrap(fmt::format("{}{} [{}]", place, note.message, note.rule), options.width, "  ", "    ");
  }
  return text;
}

}  // namespace tilewise
