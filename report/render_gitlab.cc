// GitLab's code quality report: an array of findings, each with a location and
// a fingerprint. A finding without a line is put at line 1 of its file, as the
// format wants one; one in a notebook at the line of its JSON.

#include <algorithm>

#include "report/file_lines.h"
#include "report/finding_lines.h"
#include "report/json.h"
#include "report/renderers.h"

namespace tilewise {
namespace {

std::string_view GitlabSeverity(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "info";
    case Severity::kWarning:
      return "major";
    case Severity::kError:
      return "critical";
  }
  return "info";
}

// One line: the location where it is no line of the file, the message, the fix.
std::string Description(const Diagnostic& finding, bool placed) {
  std::string text = finding.message;
  if (!placed && finding.location.known()) {
    text = FormatLocation(finding.location) + ": " + text;
  }
  if (finding.saving) text += "; " + SavingInWords(*finding.saving);
  if (!finding.fix.text.empty()) {
    text += "; " + FixLabel(finding.fix) + ": " + finding.fix.text;
  }
  return text;
}

}  // namespace

std::string RenderGitlab(const Report& report, const RenderOptions& options) {
  const FileLines files(report.files);
  const std::vector<std::string> fingerprints = DistinctFingerprints(report.findings);
  Json json = Json::array();
  for (size_t i = 0; i < report.findings.size(); ++i) {
    const Diagnostic& finding = report.findings[i];
    const Location& location = finding.location;
    const bool placed = location.line > 0 && location.cell == 0;
    const std::string& file = location.known() ? location.file : report.workload;
    json.push_back({{"description", Description(finding, placed)},
                    {"check_name", RuleInWords(finding)},
                    {"fingerprint", fingerprints[i]},
                    {"severity", GitlabSeverity(finding.severity)},
                    {"location",
                     {{"path", ArtifactPath(file, options.root)},
                      {"lines", {{"begin", std::max<int64_t>(files.LineInFile(location), 1)}}}}}});
  }
  return JsonText(json);
}

}  // namespace tilewise
