// A rule's documentation is taken apart by its headings.

#include "cli/explain/rule_rows.h"

#include <span>

#include <fmt/format.h>

#include "hardware/embedded_data.h"
#include "report/rule_doc.h"

namespace tilewise {

std::span<const EmbeddedFile> RuleExampleFiles();  // generated

namespace {

// Short fixtures: at most one that has the rule's finding and one that has not,
// in this order. Names are "IP002/bad_before_batch.py".
std::vector<RuleExample> ShortExamples(std::string_view rule) {
  std::vector<RuleExample> examples;
  const std::string folder = fmt::format("{}/", rule);
  for (const EmbeddedFile& file : RuleExampleFiles()) {
    if (!file.name.starts_with(folder)) continue;
    const std::string_view name = file.name.substr(folder.size());
    examples.push_back({.file = std::string(name),
                        .text = std::string(file.text),
                        .bad = name.starts_with("bad")});
  }
  return examples;
}

}  // namespace

ListingSection RuleSection() {
  return {.title = "rules", .columns = {"id", "name", "severity", "set", "fix", "summary"}};
}

ListingRow RuleRow(const RuleInfo& info) {
  return {.cells = {info.id, info.name, SeverityName(info.severity), SetName(info.set),
                    ApplicabilityName(info.fix), info.summary}};
}

ListingRow ExplainedRuleRow(const RuleInfo& info) {
  ListingRow row = RuleRow(info);
  row.heading = RuleHeading(info);
  row.paragraphs = RuleParagraphs(info);
  for (const Threshold& threshold : info.thresholds) {
    row.thresholds.push_back({.key = ThresholdKey(info, threshold),
                              .value = ThresholdValue(threshold.value),
                              .summary = std::string(threshold.summary)});
  }
  row.examples = ShortExamples(info.id);
  return row;
}

ListingSection NoteSection() { return {.title = "notes", .columns = {"id", "name", "summary"}}; }

ListingRow NoteRow(const RuleInfo& kind) { return {.cells = {kind.id, kind.name, kind.summary}}; }

ListingRow ExplainedNoteRow(const RuleInfo& kind) {
  ListingRow row = NoteRow(kind);
  row.heading = fmt::format("{} {} (note): {}", kind.id, kind.name, kind.summary);
  row.paragraphs = RuleParagraphs(kind);
  return row;
}

}  // namespace tilewise
