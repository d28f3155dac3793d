// Which rules run on a file, how severe they are and what they compare with:
// what flags and variables say, over what the configuration says.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "lint/config.h"
#include "rules/rule.h"

namespace tilewise {

// These come from flags and variables. Empty: they say nothing.
struct RuleOverrides {
  std::vector<std::string> select, extend_select, ignore, extend_ignore;
  std::vector<std::string> severity;    // "AL001=error", "IP=off"
  std::vector<std::string> thresholds;  // "AL009.min-ratio=2"
  std::optional<bool> preview;
};

// What RunRules takes. All words of the selection are ids; rules that are `off`
// are ignored.
struct RuleConfig {
  RuleSelection selection;
  RuleSettings settings;
  RuleOverrides overrides;  // that it was made from, to ask for another file
};

// `file`: the one that entries of `per-path` are looked up for; empty: none of
// them. Errors: rules, severities and thresholds that do not exist, with the
// option or file:line:column and the nearest one that does.
absl::StatusOr<RuleConfig> RulesFor(const LintConfig& config, const RuleOverrides& overrides,
                                    std::string_view file);

// Whether a selection of RulesFor has the rule of that id, SU001.. included.
bool Selects(const RuleSelection& selection, std::string_view id);

}  // namespace tilewise
