// Findings and notes: place, what was found, the user's line, cost and fix.

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

std::string ExcerptLines(const Report& report, const Location& location,
                         int width) {
  constexpr int kGutter = 12;
  const std::optional<Excerpt> excerpt =
      FindExcerpt(report.files, location, width - kGutter);
  if (!excerpt) return "";
  std::string text =
      fmt::format("{}{:>5} | {}\n", kIndent, excerpt->line, excerpt->text);
  if (excerpt->caret >= 0) {
    const auto before = static_cast<size_t>(excerpt->caret);
    text += fmt::format("{}      | {}^\n", kIndent, std::string(before, ' '));
  }
  return text;
}

// "place: severity: message [rule]"; coloured after wrapping, so that escape
// sequences do not count as width.
std::string Headline(const Diagnostic& finding, const RenderOptions& options) {
  const Style style(options.color);
  const std::string place =
      finding.location.known() ? FormatLocation(finding.location) + ": " : "";
  const std::string severity(SeverityName(finding.severity));
  const std::string message = fmt::format(
      "{}: {} [{}]", severity, finding.message, RuleInWords(finding));
  std::string text =
      Wrap(place + message, options.width, "", kIndent.substr(2));
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

std::string FindingText(const Diagnostic& finding, const Report& report,
                        const RenderOptions& options) {
  std::string text = Headline(finding, options);
  text += ExcerptLines(report, finding.location, options.width);
  text += Line("cost", CostInWords(finding.cost), options.width);
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
  const bool linted = report.command == "lint" || report.command == "advise";
  if (!linted && report.findings.empty()) return "";
  const Style style(options.color);
  std::string text =
      style.Bold("Findings") + ": " + CountFindings(report.findings) + "\n";
  for (const Diagnostic& finding : report.findings) {
    text += "\n" + FindingText(finding, report, options);
  }
  return text;
}

std::string TextNotes(const Report& report, const RenderOptions& options) {
  if (report.notes.empty()) return "";
  const Style style(options.color);
  std::string text = style.Bold("Not read or not resolved") + "\n";
  for (const Diagnostic& note : report.notes) {
    const std::string place =
        note.location.known() ? FormatLocation(note.location) + ": " : "";
    text += Wrap(fmt::format("{}{} [{}]", place, note.message, note.rule),
                 options.width, "  ", "    ");
  }
  return text;
}

}  // namespace tilewise
