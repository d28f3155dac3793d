// Windows of a kernel from its steps.

#pragma once

#include "sim/lowering/program.h"

namespace tilewise {

// `steps` equal steps with `window` bytes of VMEM each; double-buffered when
// there is more than one step and the budget holds two windows.
void SetSteps(Kernel& kernel, int64_t steps, Bytes window, const Chip& chip);

// Equal slices of everything that the kernel reads and writes.
void SplitEvenly(Kernel& kernel, const Chip& chip);

}  // namespace tilewise
