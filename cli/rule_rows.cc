// A rule's documentation is text whose paragraphs start with one capitalised
// word and a colon: "Why: ...".

#include "cli/rule_rows.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace tilewise {
namespace {

// Length of the heading that `line` starts with, without its colon; 0 for a
// line that goes on with a paragraph.
size_t HeadingSize(std::string_view line) {
  const size_t colon = line.find(": ");
  if (colon == std::string_view::npos || colon == 0) return 0;
  const bool word = std::ranges::all_of(line.substr(1, colon - 1), [](char c) {
    return std::islower(static_cast<unsigned char>(c)) != 0;
  });
  const bool capital = std::isupper(static_cast<unsigned char>(line[0])) != 0;
  return word && capital ? colon : 0;
}

void AddLine(std::string_view line, std::vector<Paragraph>& paragraphs) {
  if (line.empty()) return;
  const size_t heading = HeadingSize(line);
  if (heading > 0) {
    paragraphs.push_back({std::string(line.substr(0, heading)),
                          std::string(line.substr(heading + 2))});
  } else if (!paragraphs.empty()) {
    paragraphs.back().text += fmt::format(" {}", line);
  }
}

std::vector<Paragraph> Paragraphs(std::string_view doc) {
  std::vector<Paragraph> paragraphs;
  while (!doc.empty()) {
    const size_t end = std::min(doc.find('\n'), doc.size());
    AddLine(doc.substr(0, end), paragraphs);
    doc.remove_prefix(std::min(end + 1, doc.size()));
  }
  return paragraphs;
}

}  // namespace

ListingSection RuleSection() {
  return {.title = "rules",
          .columns = {"id", "name", "severity", "fix", "summary"},
          .rows = {}};
}

ListingRow RuleRow(const RuleInfo& info) {
  ListingRow row;
  row.cells = {std::string(info.id), std::string(info.name),
               std::string(SeverityName(info.severity)),
               std::string(ApplicabilityName(info.fix)),
               std::string(info.summary)};
  return row;
}

ListingRow ExplainedRuleRow(const RuleInfo& info) {
  ListingRow row = RuleRow(info);
  row.heading = fmt::format("{} {} ({}, fix: {}): {}", info.id, info.name,
                            SeverityName(info.severity),
                            ApplicabilityName(info.fix), info.summary);
  row.paragraphs = Paragraphs(info.doc);
  return row;
}

}  // namespace tilewise
