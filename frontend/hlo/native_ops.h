// Custom calls that stand for kinds of graph ops (print.h), in modules that are
// translated instruction by instruction.

#pragma once

#include "frontend/hlo/translation.h"

namespace tilewise::hlo {

bool IsNative(const Site& site);
// The op. Fails the emitter when attributes or operands are none of its kind.
Value AddNative(Translation& t, const Site& site);

}  // namespace tilewise::hlo
