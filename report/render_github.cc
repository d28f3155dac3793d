// Workflow commands of GitHub Actions, which become annotations of the lines of
// a pull request. A location in a notebook is put at the line of its JSON, and
// the text names cell and line.

#include <fmt/format.h>

#include "base/printable.h"
#include "report/file_lines.h"
#include "report/finding_lines.h"
#include "report/renderers.h"

namespace tilewise {
namespace {

// A command is one line, whatever a name of a file holds; its properties are
// separated by commas.
std::string Escape(std::string_view text, bool property) {
  std::string escaped;
  for (const char c : PrintableLines(text)) {
    const bool separates = property && (c == ':' || c == ',');
    if (c == '%' || c == '\r' || c == '\n' || separates) {
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string_view CommandOf(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "notice";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "notice";
}

std::string Properties(const Diagnostic& finding, const FileLines& files, std::string_view root) {
  const Location& location = finding.location;
  std::string text;
  if (location.known()) {
    text = "file=" + Escape(ArtifactPath(location.file, root), true) + ",";
    const int64_t line = files.LineInFile(location);
    if (line > 0) text += fmt::format("line={},", line);
    if (line > 0 && location.column > 0 && location.cell == 0) {
      text += fmt::format("col={},", location.column);
    }
  }
  return text + "title=" + Escape(RuleInWords(finding), true);
}

std::string Message(const Diagnostic& finding) {
  const Location& location = finding.location;
  const bool placed = location.line > 0 && location.cell == 0;
  const std::string place = placed || !location.known() ? "" : FormatLocation(location) + ": ";
  return Escape(place + FindingInLines(finding), false);
}

}  // namespace

std::string RenderGithub(const Report& report, const RenderOptions& options) {
  const FileLines files(report.files);
  std::string text;
  for (const Diagnostic& finding : report.findings) {
    text += fmt::format("::{} {}::{}\n", CommandOf(finding.severity),
                        Properties(finding, files, options.root), Message(finding));
  }
  for (const std::string& failure : report.failures) {
    text += fmt::format("::error title=tilewise::{}\n", Escape(failure, false));
  }
  return text;
}

}  // namespace tilewise
