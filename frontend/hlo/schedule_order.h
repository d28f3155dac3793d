// Instructions in the order in which they were scheduled.

#pragma once

#include <cstdint>
#include <vector>

#include "frontend/hlo/module.h"

namespace tilewise::hlo {

// Puts the instructions in the order `order` (of their numbers), if it has each
// once and operands stay before their users; else leaves them as they are.
void OrderInstructions(Computation& computation, const std::vector<int32_t>& order);

}  // namespace tilewise::hlo
