// What holds for every module, whatever it was read from.

#pragma once

#include "base/status.h"
#include "frontend/hlo/module.h"

namespace tilewise::hlo {

// Deeper calls of computations are refused.
inline constexpr int32_t kMaxCallDepth = 200;

// Marks the computations of fusions. Fails when a computation calls itself,
// even through others, or calls are too deep. Computations that are called
// must be numbers of the module's.
absl::Status LinkModule(Module& module);

}  // namespace tilewise::hlo
