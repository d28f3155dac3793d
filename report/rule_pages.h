// The pages of docs/rules: one per rule, from its documentation and fixtures,
// and an index.

#pragma once

#include <span>
#include <string>

#include "report/listing.h"
#include "rules/rule.h"

namespace tilewise {

// The file's name, and its text between fences.
std::string ExampleMarkdown(const RuleExample& example);

// "What", "Why" and so on; what fires and what does not; thresholds; fix.
std::string RulePage(const RuleInfo& info, std::span<const RuleExample> examples);

// A list per family with links to the pages, and one of the notes.
std::string RuleIndex(std::span<const Rule* const> rules, std::span<const RuleInfo> notes);

}  // namespace tilewise
