// The pages of docs/rules: one per rule, from its documentation and fixtures,
// and an index.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "rules/rule.h"

namespace tilewise {

// A fixture of a rule.
struct RuleExample {
  std::string file;  // "bad_before_batch.py"
  std::string
      text;  // empty: too long or binary, so that only its name is shown
  bool bad = false;  // the rule speaks
};

// "What", "Why" and so on; what fires and what does not; thresholds; fix.
std::string RulePage(const RuleInfo& info,
                     std::span<const RuleExample> examples);

// A table per family with links to the pages.
std::string RuleIndex(std::span<const Rule* const> rules);

}  // namespace tilewise
