// SU001..: what is wrong with the suppression comments of a program, once all
// findings were compared with them.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "lint/config_rules.h"
#include "lint/suppression_scope.h"

namespace tilewise {

inline constexpr std::string_view kUnusedSuppression = "SU001";

struct UsedComment {
  ScopedComment scoped;
  std::vector<bool> used;  // by word; one for a comment without words
};

// Whether `word` (an id, name, family or ALL) means the rule of that id.
bool WordMeans(std::string_view word, std::string_view id);

// Whether a rule that `word` means ran and could speak: rules other than those
// of input code and scripts need a model.
bool RunsAny(std::string_view word, bool model_seen, const RuleConfig& rules);

// Of the rules that are selected, in no order.
std::vector<Diagnostic> SuppressionFindings(const std::vector<UsedComment>& comments,
                                            bool model_seen, const RuleConfig& rules);

// A finding of the rule with its configured severity.
Diagnostic SuppressionFinding(std::string_view id, const RuleConfig& rules, const Location& place,
                              std::string message, std::string fix);

}  // namespace tilewise
