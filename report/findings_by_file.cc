// Every file that was read is a group, so the groups do not depend on what was
// found.

#include "report/findings_by_file.h"

#include <map>

#include "report/artifact_path.h"

namespace tilewise {

std::vector<FileFindings> GroupByFile(const Report& report, const RenderOptions& options) {
  std::map<std::string, std::vector<const Diagnostic*>> groups;
  for (const SourceFile& file : report.files) {
    groups[ArtifactPath(file.path, options.root)];
  }
  for (const Diagnostic& finding : report.findings) {
    const std::string& file = finding.location.known() ? finding.location.file : report.workload;
    groups[ArtifactPath(file, options.root)].push_back(&finding);
  }
  if (groups.empty()) groups[report.workload];
  std::vector<FileFindings> files;
  files.reserve(groups.size());
  for (auto& [file, findings] : groups) {
    files.push_back({.file = file, .findings = std::move(findings)});
  }
  return files;
}

}  // namespace tilewise
