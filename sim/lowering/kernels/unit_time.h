// How long the work of a kernel keeps a core's units busy.

#pragma once

#include "base/units.h"
#include "hardware/chip.h"
#include "sim/lowering/program.h"

namespace tilewise {

// MXUs from the first row to the last, weight loads that starve them included;
// without the fill.
Seconds MatrixTime(const MatrixWork& work, const Chip& chip);

// The longest of the slots that issue side by side.
Seconds VectorTime(const VectorWork& work, const Chip& chip);

// MXUs and vector unit together: side by side, as the bundles hold slots of
// both, but not where one waits for the other.
Seconds ComputeTime(const Kernel& kernel, const Chip& chip);

// The same with the MXUs at their peak instead of the share that they achieve.
Seconds ComputeTimeAtPeak(const Kernel& kernel, const Chip& chip);

// Returns the time from the first row into the MXU to the first result out,
// once for a kernel.
Seconds FillTime(const Kernel& kernel, const Chip& chip);

}  // namespace tilewise
