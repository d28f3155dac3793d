// One cause, one finding.

#pragma once

#include <vector>

#include "rules/rule.h"

namespace tilewise {

// Without the findings whose cause a more specific rule names at the same
// place; that one lists their rules in `related`.
std::vector<Finding> OnePerCause(std::vector<Finding> all);

}  // namespace tilewise
