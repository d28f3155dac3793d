// Trips of loops over layers.

#pragma once

#include "hardware/target.h"
#include "sim/lowering/program.h"
#include "sim/lowering/xla_flags.h"

namespace tilewise {

// Sets Kernel::iteration of kernels in issue order from the loops of their ops.
// What runs beside the kernels belongs to the iteration of its first reader
// (gathers, copies from host memory) or to that in which it starts, but for
// what `flags` let run from one iteration into the next. Copies to and from
// host memory that would start before their iteration are issued at its begin.
void FormIterations(Program& program, const XlaFlags& flags, const Target& target);

}  // namespace tilewise
