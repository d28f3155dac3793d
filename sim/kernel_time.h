// One kernel on one core's own units: MXUs, vector unit, DMA.

#pragma once

#include "base/units.h"
#include "hardware/chip.h"
#include "sim/lowering/program.h"
#include "sim/timeline.h"

namespace tilewise {

// MXUs from the first row to the last, weight loads that starve them included;
// without the fill.
Seconds MatrixTime(const MatrixWork& work, const Chip& chip);

// The longest of the slots that issue side by side.
Seconds VectorTime(const VectorWork& work, const Chip& chip);

// All of a span but its start, for kernels other than collectives.
KernelSpan TimeKernel(const Kernel& kernel, const Chip& chip);

}  // namespace tilewise
