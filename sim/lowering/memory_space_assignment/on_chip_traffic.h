// Traffic of kernels on values that are in on-chip memory instead of HBM.

#pragma once

#include "hardware/chip.h"
#include "sim/lowering/program.h"

namespace tilewise {

// Sets what of their traffic the kernels have on-chip (Kernel::on_chip_read,
// on_chip_write) from where the buffers are (Buffer::on_chip_until), and their
// windows anew where it is no longer what they were chosen for. May be called
// again after buffers have moved.
void MoveOnChipTraffic(Program& program, const Chip& chip);

}  // namespace tilewise
