// One kernel on one core's own units: MXUs, vector unit, DMA.

#pragma once

#include "base/units.h"
#include "hardware/chip.h"
#include "sim/lowering/program.h"
#include "sim/timeline.h"

namespace tilewise {

// Returns all of a span but its start, for kernels other than collectives.
KernelSpan TimeKernel(const Kernel& kernel, const Chip& chip);

}  // namespace tilewise
