// Prints what a rule's own documentation says.

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/rule_rows.h"
#include "cli/run.h"
#include "rules/rule_words.h"

namespace tilewise {

absl::StatusOr<int> RunExplain(const Options& options) {
  const Rule* rule = FindRule(options.rule);
  if (rule == nullptr) {
    return absl::NotFoundError(fmt::format(
        "found no rule '{}', expected an id or name of 'tilewise list rules'{}",
        options.rule.substr(0, 64), DidYouMean(options.rule, RuleWords())));
  }
  ListingSection section = RuleSection();
  section.rows = {ExplainedRuleRow(rule->info)};
  TW_RETURN_IF_ERROR(WriteListing("explain", {section}, options));
  return kExitClean;
}

}  // namespace tilewise
