// The part of a model that gives the same of an example in every epoch.

#pragma once

#include "rules/rule.h"

namespace tilewise {

// Reports the ops between the data and the first weights that are trained, where they have weights
// of their own and nothing random: their features could be computed once.
void ReportFrozenPart(const Facts& facts, Sink& sink);

}  // namespace tilewise
