// Prints what the documentation of a rule or note says.

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/rule_rows.h"
#include "cli/run.h"
#include "rules/note_kinds.h"
#include "rules/rule_words.h"

namespace tilewise {

absl::StatusOr<int> RunExplain(const Options& options) {
  const Rule* rule = FindRule(options.rule);
  const RuleInfo* note = FindNoteKind(options.rule);
  if (rule == nullptr && note == nullptr) {
    std::vector<std::string> words = RuleWords();
    for (const RuleInfo& kind : NoteKinds()) words.emplace_back(kind.id);
    return absl::NotFoundError(fmt::format(
        "found no rule '{}', expected an id or name of 'tilewise list rules'{}",
        options.rule.substr(0, 64), DidYouMean(options.rule, words)));
  }
  ListingSection section = rule != nullptr ? RuleSection() : NoteSection();
  section.rows = {rule != nullptr ? ExplainedRuleRow(rule->info)
                                  : ExplainedNoteRow(*note)};
  TW_RETURN_IF_ERROR(WriteListing("explain", {section}, options));
  return kExitClean;
}

}  // namespace tilewise
