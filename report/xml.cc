// Text goes character by character (XML 1.0, sections 2.2 and 2.4). Every file
// that was read is a group, so the groups do not depend on what was found.

#include "report/xml.h"

#include <cstdint>
#include <map>

#include <fmt/format.h>

#include "report/file_lines.h"

namespace tilewise {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Character {
  uint32_t code = 0;
  size_t bytes = 1;
  bool valid = false;
};

// Bytes of the character that starts with `first`; 0: none does.
size_t Length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

bool AllowedInXml(uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return !surrogate && code != 0xFFFE && code != 0xFFFF && code <= 0x10FFFF;
}

Character Decode(std::string_view text) {
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto first = static_cast<unsigned char>(text[0]);
  const size_t length = Length(first);
  if (length == 0 || length > text.size()) return {};
  uint32_t code = length == 1 ? first : first & (0xFFU >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte & 0x3FU);
  }
  const bool valid = code >= kSmallest[length] && AllowedInXml(code);
  return {.code = code, .bytes = length, .valid = valid};
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
    const Character character = Decode(text);
    const std::string_view entity = Entity(character.code);
    if (!character.valid) {
      escaped += kReplacement;
    } else if (!entity.empty()) {
      escaped += entity;
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
