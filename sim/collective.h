// All-reduce over the cores of a slice.

#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"
#include "hardware/chip.h"
#include "sim/lowering/program.h"
#include "sim/timeline.h"

namespace tilewise {

// Lengths of a slice's axes: as equal as its chip count allows, longest first,
// none of length 1.
std::vector<int64_t> TorusAxes(int64_t chips, int64_t dims);

// Time on the interconnect, and of the chip's cores adding up among
// themselves; without the fixed overhead.
Seconds AllReduceTime(Bytes bytes, int64_t cores, const Chip& chip);

// All of a span but its start.
KernelSpan TimeCollective(const Kernel& kernel, const Chip& chip);

}  // namespace tilewise
