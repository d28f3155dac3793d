// A line without a heading goes on with the paragraph above it.

#include "report/rule_doc.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace tilewise {
namespace {

struct Family {
  std::string_view letters;
  std::string_view title;
};

constexpr Family kFamilies[] = {
    {"AL", "alignment and padding"},
    {"CO", "compilation"},
    {"CX", "C++ sources"},
    {"DI", "distribution"},
    {"DY", "dynamic shapes"},
    {"FU", "fusion"},
    {"HL", "host loop"},
    {"IP", "input pipeline"},
    {"LY", "layout"},
    {"ME", "memory"},
    {"OP", "operators"},
    {"PR", "precision"},
    {"RD", "reading"},
    {"SU", "suppressions"},
};

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
    paragraphs.push_back(
        {std::string(line.substr(0, heading)), std::string(line.substr(heading + 2))});
  } else if (!paragraphs.empty()) {
    paragraphs.back().text += fmt::format(" {}", line);
  }
}

}  // namespace

std::string RuleHeading(const RuleInfo& info) {
  return fmt::format("{} {} ({}, fix: {}{}, {} set): {}", info.id, info.name,
                     SeverityName(info.severity), ApplicabilityName(info.fix),
                     info.changes_numerics ? ", changes numerics" : "", SetName(info.set),
                     info.summary);
}

std::vector<Paragraph> RuleParagraphs(const RuleInfo& info) {
  std::vector<Paragraph> paragraphs;
  std::string_view doc = info.doc;
  while (!doc.empty()) {
    const size_t end = std::min(doc.find('\n'), doc.size());
    AddLine(doc.substr(0, end), paragraphs);
    doc.remove_prefix(std::min(end + 1, doc.size()));
  }
  if (!info.no_saving.empty()) {
    paragraphs.push_back({"Saving", fmt::format("Where none is simulated: {}.", info.no_saving)});
  }
  return paragraphs;
}

std::string RuleParagraph(const RuleInfo& info, std::string_view title) {
  for (const Paragraph& paragraph : RuleParagraphs(info)) {
    if (paragraph.title == title) return paragraph.text;
  }
  return "";
}

std::string_view SetName(RuleSet set) {
  switch (set) {
    case RuleSet::kDefault:
      return "default";
    case RuleSet::kOptional:
      return "optional";
    case RuleSet::kPreview:
      return "preview";
  }
  return "?";
}

std::string_view FamilyTitle(std::string_view id) {
  const std::string_view letters = id.substr(0, 2);
  for (const Family& family : kFamilies) {
    if (family.letters == letters) return family.title;
  }
  return letters;
}

std::string ThresholdKey(const RuleInfo& info, const Threshold& threshold) {
  return fmt::format("{}.{}", info.id, threshold.name);
}

std::string ThresholdValue(double value) {
  const bool whole = value == static_cast<double>(static_cast<int64_t>(value));
  return whole ? fmt::format("{}", static_cast<int64_t>(value)) : fmt::format("{}", value);
}

}  // namespace tilewise
