// Memory space assignment: which values stay in on-chip memory between the
// kernel that writes them and those that read them, instead of going through
// HBM.

#pragma once

#include "hardware/chip.h"
#include "sim/lowering/program.h"

namespace tilewise {

// Marks the buffers (Buffer::on_chip_until) and moves the kernels' traffic on
// them from HBM (Kernel::on_chip_read, on_chip_write). Needs the issue order
// and the live ranges; may be called again after either has changed. Does
// nothing on a chip without room for whole values.
void PromoteBuffers(Program& program, const Chip& chip);

}  // namespace tilewise
