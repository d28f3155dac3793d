// Values that are computed again, so that the step fits the HBM.

#pragma once

#include "hardware/host.h"
#include "sim/lowering/program.h"
#include "sim/lowering/xla_flags.h"

namespace tilewise {

// Does nothing when the step fits. Else walks over the kernels in issue order
// and, where more is in use than there is HBM, has the kernel run again (or
// later) whose results free most bytes: just before they are needed next. This
// is what XLA's HloRematerialization does: it looks at the bytes that are freed
// and not at the time that it takes, first at single kernels, whose operands
// must still be there, then at chains of them, on chips whose compiler does so.
// Buffers are placed again.
// Kernels are copied only: the ops of the graph stay, and a value may then be
// written by several kernels.
//
// Leaves alone: collectives, transfers, random numbers, device loops, kernels
// that are not XLA's own (flash attention, opaque), updates, results below 10
// MiB, kernels of loops over layers, matmuls with batch dims where it looks at
// single kernels only, and for frameworks that do so the readers of variables
// which the step overwrites. A program that does not fit all the same keeps its
// kernels, and has the least peak that was found.
void FitByRematerialization(Program& program, const Chip& chip, const CompilerHabits& compiler = {},
                            const XlaFlags& flags = {});

}  // namespace tilewise
