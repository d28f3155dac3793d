// A rule's documentation is taken apart by its headings.

#include "cli/explain/rule_rows.h"

#include <fmt/format.h>

#include "cli/explain/rule_examples.h"
#include "report/rule_doc.h"

namespace tilewise {

ListingSection RuleSection() {
  return {
      .title = "rules", .columns = {"id", "name", "severity", "set", "fix", "summary"}, .rows = {}};
}

ListingRow RuleRow(const RuleInfo& info) {
  ListingRow row;
  row.cells = {std::string(info.id),
               std::string(info.name),
               std::string(SeverityName(info.severity)),
               std::string(SetName(info.set)),
               std::string(ApplicabilityName(info.fix)),
               std::string(info.summary)};
  return row;
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

ListingSection NoteSection() {
  return {.title = "notes", .columns = {"id", "name", "summary"}, .rows = {}};
}

ListingRow NoteRow(const RuleInfo& kind) {
  ListingRow row;
  row.cells = {std::string(kind.id), std::string(kind.name), std::string(kind.summary)};
  return row;
}

ListingRow ExplainedNoteRow(const RuleInfo& kind) {
  ListingRow row = NoteRow(kind);
  row.heading = fmt::format("{} {} (note): {}", kind.id, kind.name, kind.summary);
  row.paragraphs = RuleParagraphs(kind);
  return row;
}

}  // namespace tilewise
