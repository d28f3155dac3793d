// Buffers and the HBM peak for the kernels in their present order.

#pragma once

#include "sim/lowering/program.h"
#include "sim/lowering/xla_flags.h"

namespace tilewise {

// Fills program.buffers, ordered by value and then by time, and
// program.memory. Values inside kernels have no buffer. The new value of a
// variable takes the variable's place when no later kernel reads the old one.
// Parameters and variables live all the time. A result takes the place of an
// operand that it is the last to use where in_place.h says so. `drops_barriers`:
// see second_runs.h; flags.removes_barriers counts once kernels are final.
void AssignBuffers(Program& program, const Chip& chip, const XlaFlags& flags = {},
                   bool drops_barriers = false);

}  // namespace tilewise
