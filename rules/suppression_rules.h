// What the linter says about suppressions. They are rules like others for
// people - id, page, severity, select and ignore - but look at what the others
// found, so lint/suppression reports them and RunRules does not.

#pragma once

#include <span>
#include <vector>

#include "rules/rule.h"

namespace tilewise {

// Returns the rules by id: SU001 unused-suppression, SU002 unknown-suppression,
// SU003 blanket-suppression. FindRule knows them, AllRules does not have them.
std::span<const Rule* const> SuppressionRules();

// AllRules and these: all that has a page.
std::vector<const Rule*> ListedRules();

}  // namespace tilewise
