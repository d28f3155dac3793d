// Combines small all-reduces.

#pragma once

#include "sim/lowering/program.h"

namespace tilewise {

// Merges collectives that do not need each other into buckets of bounded size,
// in their present order: one fixed cost for many gradients.
void CombineAllReduces(Program& program, const Chip& chip);

}  // namespace tilewise
