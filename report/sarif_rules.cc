// Rules of a SARIF log: reportingDescriptor objects (3.49), whose help GitHub
// shows beside each alert.

#include <map>

#include <fmt/format.h>

#include "report/markdown_text.h"
#include "report/rule_doc.h"
#include "report/sarif_sections.h"

namespace tilewise {
namespace {

// "prefetch-not-last" -> "PrefetchNotLast": identifiers are in Pascal case.
std::string PascalCase(std::string_view name) {
  std::string text;
  bool start = true;
  for (const char c : name) {
    if (c == '-') {
      start = true;
      continue;
    }
    const bool raise = start && c >= 'a' && c <= 'z';
    text += raise ? static_cast<char>(c - 'a' + 'A') : c;
    start = false;
  }
  return text;
}

// How often the rule is right, in the words of code scanning.
std::string_view Precision(RuleSet set) {
  switch (set) {
    case RuleSet::kDefault:
      return "high";
    case RuleSet::kOptional:
      return "medium";
    case RuleSet::kPreview:
      return "low";
  }
  return "low";
}

std::string HelpText(const RuleInfo& info) {
  std::string text;
  for (const Paragraph& paragraph : RuleParagraphs(info)) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n\n", paragraph.title, paragraph.text);
  }
  return text;
}

std::string HelpMarkdown(const RuleInfo& info) {
  std::string text = fmt::format("# {} {}\n", info.id, info.name);
  for (const Paragraph& paragraph : RuleParagraphs(info)) {
    text += fmt::format("\n**{}:** {}\n", EscapeMarkdown(paragraph.title),
                        EscapeMarkdown(paragraph.text));
  }
  return text + fmt::format("\n`tilewise explain {}`\n", info.id);
}

Json KnownRule(const RuleInfo& info) {
  const Severity severity = info.severity;
  return {{"id", info.id},
          {"name", PascalCase(info.name)},
          {"shortDescription", {{"text", info.summary}}},
          {"fullDescription", {{"text", RuleParagraph(info, "What")}}},
          {"help", {{"text", HelpText(info)}, {"markdown", HelpMarkdown(info)}}},
          {"defaultConfiguration",
           {{"level", SarifLevel(severity)}, {"enabled", info.set == RuleSet::kDefault}}},
          {"properties",
           {{"tags", {"performance", "tpu", FamilyTitle(info.id)}},
            {"precision", Precision(info.set)},
            {"problem.severity",
             severity == Severity::kInfo ? "recommendation" : SeverityName(severity)}}}};
}

// What no rule of the catalogue found: an unused suppression.
Json OtherRule(const Diagnostic& finding) {
  Json rule = {{"id", finding.rule}};
  if (!finding.name.empty()) {
    rule["name"] = PascalCase(finding.name);
    rule["shortDescription"] = {{"text", finding.name}};
  }
  rule["defaultConfiguration"] = {{"level", SarifLevel(finding.severity)}};
  return rule;
}

}  // namespace

Json SarifRules(const std::vector<const Diagnostic*>& results) {
  std::map<std::string, const Diagnostic*> by_id;
  for (const Diagnostic* result : results) by_id.emplace(result->rule, result);
  Json rules = Json::array();
  for (const auto& [id, result] : by_id) {
    const Rule* rule = FindRule(id);
    rules.push_back(rule == nullptr ? OtherRule(*result) : KnownRule(rule->info));
  }
  return rules;
}

}  // namespace tilewise
