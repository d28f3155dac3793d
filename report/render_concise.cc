// One line per finding: "concise" for people, with a summary; "gcc" in the form
// of compiler messages, which editors parse, and nothing else.

#include <fmt/format.h>

#include "report/finding_lines.h"
#include "report/renderers.h"
#include "report/summary_lines.h"
#include "report/text.h"

namespace tilewise {
namespace {

// What the fix gains, as briefly as it goes: " (saves 12.3 ms, 31 %)".
std::string Gain(const Diagnostic& finding) {
  if (!finding.saving || finding.saving->time_per_step.value <= 0) return "";
  return fmt::format(" (saves {}, {})", FormatSeconds(finding.saving->time_per_step),
                     FormatPercent(finding.saving->share_of_step));
}

// "[*]" for a fix that --fix makes.
std::string_view FixMark(const Fix& fix) {
  const bool safe = fix.applicability == Applicability::kSafe;
  return safe && !fix.edits.empty() ? " [*]" : "";
}

// GCC's columns are bytes, and so are ours. A location without a line stands
// with its name, as in "model.json: layer conv1".
std::string GccLine(const Diagnostic& finding) {
  const bool info = finding.severity == Severity::kInfo;
  const std::string_view severity = info ? "note" : SeverityName(finding.severity);
  return fmt::format("{}: {}: {} [{}]", FormatLocation(finding.location), severity, finding.message,
                     RuleInWords(finding));
}

}  // namespace

std::string RenderConcise(const Report& report, const RenderOptions& options) {
  const Style style(options.color);
  std::string text;
  for (const Diagnostic& finding : report.findings) {
    text +=
        fmt::format("{}: {}: {}{}: {}{}\n", style.Bold(Printable(FormatLocation(finding.location))),
                    style.Name(finding.severity), RuleInWords(finding), FixMark(finding.fix),
                    Printable(finding.message), Gain(finding));
  }
  for (const std::string& failure : report.failures) {
    text += fmt::format("{}: {}\n", style.Name(Severity::kError), Printable(failure));
  }
  return text + fmt::format("Found {}.\n", CountsInWords(report));
}

std::string RenderGcc(const Report& report, const RenderOptions&) {
  std::string text;
  for (const Diagnostic& finding : report.findings) {
    text += Printable(GccLine(finding)) + "\n";
  }
  return text;
}

}  // namespace tilewise
