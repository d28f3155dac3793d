// RunRules for who knows which findings the user accepts.

#pragma once

#include <functional>

#include "rules/rule.h"

namespace tilewise {

// Asked once for each finding.
using Accepted = std::function<bool(const Diagnostic&)>;

// As RunRules of rule.h. Findings that `accepted` is true for are left out
// before the others are folded and simulated; null: none are.
RuleRun RunRules(const Facts& facts, const RuleSelection& selection, const RunOptions& options,
                 const Accepted& accepted);

}  // namespace tilewise
