// --select and --ignore as rules take them.

#pragma once

#include "base/status.h"
#include "cli/options.h"
#include "rules/rule.h"

namespace tilewise {

// Errors: a word that selects no rule, with the option it stands in.
absl::StatusOr<RuleSelection> SelectionOf(const Options& options);

}  // namespace tilewise
