// Which rules a run is made of.

#pragma once

#include "rules/rule.h"

namespace tilewise {

bool IsSelected(const RuleInfo& info, const RuleSelection& selection);

}  // namespace tilewise
