// Text goes character by character (XML 1.0, sections 2.2 and 2.4). Every file
// that was read is a group, so the groups do not depend on what was found.

#include "report/xml.h"

#include <cstdint>
#include <map>

#include <fmt/format.h>

#include "base/printable.h"
#include "report/file_lines.h"

namespace tilewise {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// XML 1.0 has no way to write the others.
bool AllowedInXml(uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code != 0xFFFE && code != 0xFFFF;
}

std::string_view Entity(uint32_t code) {
  switch (code) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&apos;";
    case '\n':
      return "&#10;";
    case '\r':
      return "&#13;";
    case '\t':
      return "&#9;";
    default:
      return "";
  }
}

}  // namespace

std::string EscapeXml(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const Utf8Character character = DecodeUtf8(text);
    const std::string_view entity = Entity(character.code);
    if (!character.valid || !AllowedInXml(character.code)) {
      escaped += kReplacement;
    } else if (!entity.empty()) {
      escaped += entity;
    } else if (IsUnprintable(character.code)) {
      escaped += fmt::format("&#x{:x};", character.code);
    } else {
      escaped += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return escaped;
}

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
