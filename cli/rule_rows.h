// Rules as rows of a listing.

#pragma once

#include "report/listing.h"
#include "rules/rule.h"

namespace tilewise {

// A section of id, name, severity, fix and summary, with no rows yet.
ListingSection RuleSection();

ListingRow RuleRow(const RuleInfo& info);

// The same with the rule's documentation below it, one paragraph for each of
// its headings.
ListingRow ExplainedRuleRow(const RuleInfo& info);

}  // namespace tilewise
