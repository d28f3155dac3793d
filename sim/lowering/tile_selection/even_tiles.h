// Windows of a kernel from its steps.

#pragma once

#include "sim/lowering/program.h"

namespace tilewise {

// `steps` equal steps with `window` bytes of VMEM each; double-buffered when
// there is more than one step and the budget holds two windows.
void SetSteps(Kernel& kernel, int64_t steps, Bytes window, const Chip& chip);

// How many windows the compiler wants of a kernel without matrix work, VMEM
// aside: one for a single instruction; else they are doubled while each half
// would still keep the vector unit busy for `window_split_cycles` per window
// there is. It counts an instruction for each op, and one for the results.
int64_t WantedSteps(const Program& program, const Kernel& kernel, const Chip& chip);

// Splits everything that the kernel reads and writes into equal slices: at
// least `steps` of them, and as many as the VMEM budget needs. Kernels larger
// than the published ones get more where that takes less time.
void SplitEvenly(Kernel& kernel, const Chip& chip, int64_t steps = 1);

// The same by the steps that the kernel has of itself, flash attention, or else
// the compiler wants.
void TileEvenly(const Program& program, Kernel& kernel, const Chip& chip);

}  // namespace tilewise
