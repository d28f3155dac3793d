// Rules as rows of a listing.

#pragma once

#include "report/listing.h"
#include "rules/rule.h"

namespace tilewise {

// A section of id, name, severity, set, fix and summary, with no rows yet.
ListingSection RuleSection();

ListingRow RuleRow(const RuleInfo& info);

// The same with the rule's documentation below it, one paragraph for each of
// its headings, and its thresholds.
ListingRow ExplainedRuleRow(const RuleInfo& info);

// The same of notes, which have id, name and summary alone.
ListingSection NoteSection();
ListingRow NoteRow(const RuleInfo& kind);
ListingRow ExplainedNoteRow(const RuleInfo& kind);

}  // namespace tilewise
