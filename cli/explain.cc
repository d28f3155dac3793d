// Prints what a rule's own documentation says.

#include <optional>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/run.h"
#include "cli/suggest.h"
#include "rules/rule.h"

namespace tilewise {
namespace {

absl::Status UnknownRule(const std::string& word) {
  std::vector<std::string> known;
  for (const Rule* rule : AllRules()) {
    known.emplace_back(rule->info.id);
    known.emplace_back(rule->info.name);
  }
  const std::optional<std::string> nearest = Nearest(word, known);
  return absl::NotFoundError(fmt::format(
      "found no rule '{}'{}; 'tilewise list rules' lists them",
      word.substr(0, 64),
      nearest ? fmt::format(", did you mean '{}'?", *nearest) : ""));
}

}  // namespace

absl::StatusOr<int> RunExplain(const Options& options) {
  const Rule* rule = FindRule(options.rule);
  if (rule == nullptr) return UnknownRule(options.rule);
  const RuleInfo& info = rule->info;
  std::string_view doc = info.doc;
  while (doc.starts_with('\n')) doc.remove_prefix(1);
  while (doc.ends_with('\n')) doc.remove_suffix(1);
  const std::string text =
      fmt::format("{} {} ({}, fix: {})\n{}\n\n{}\n", info.id, info.name,
                  SeverityName(info.severity), ApplicabilityName(info.fix),
                  info.summary, doc);
  TW_RETURN_IF_ERROR(WriteOutput(text, options.output));
  return kExitClean;
}

}  // namespace tilewise
