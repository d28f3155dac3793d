// Checkstyle's XML, which many code review tools read: files with errors. The
// line of a finding that has none in its file is 0.

#include <fmt/format.h>

#include "report/file_lines.h"
#include "report/finding_lines.h"
#include "report/renderers.h"
#include "report/xml.h"

namespace tilewise {
namespace {

std::string Error(const Diagnostic& finding, const FileLines& files) {
  const Location& location = finding.location;
  const bool placed = location.line > 0 && location.cell == 0;
  const bool named = !placed && location.known();
  std::string text = fmt::format("    <error line=\"{}\"", files.LineInFile(location));
  if (placed && location.column > 0) {
    text += fmt::format(" column=\"{}\"", location.column);
  }
  const std::string place = named ? FormatLocation(location) + ": " : "";
  return text + fmt::format(" severity=\"{}\" message=\"{}\" source=\"tilewise.{}\"/>\n",
                            SeverityName(finding.severity),
                            EscapeXml(place + FindingInLines(finding)), EscapeXml(finding.rule));
}

}  // namespace

std::string RenderCheckstyle(const Report& report, const RenderOptions& options) {
  const FileLines files(report.files);
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<checkstyle version=\"4.3\">\n";
  for (const FileFindings& group : GroupByFile(report, options)) {
    if (group.findings.empty()) continue;
    text += fmt::format("  <file name=\"{}\">\n", EscapeXml(group.file));
    for (const Diagnostic* finding : group.findings) text += Error(*finding, files);
    text += "  </file>\n";
  }
  return text + "</checkstyle>\n";
}

}  // namespace tilewise
