// What the ids of notes mean. Notes are no findings: they say what of the files
// could not be read, resolved or simulated, so that nobody takes a report for
// more than it is. They cannot be selected, ignored or suppressed.

#pragma once

#include <span>
#include <string_view>

#include "rules/rule.h"

namespace tilewise {

// Returns the kinds by id: RD001...
std::span<const RuleInfo> NoteKinds();
// Finds a kind by id, or by name; null when unknown.
const RuleInfo* FindNoteKind(std::string_view id_or_name);

}  // namespace tilewise
