// Trips of loops over layers.

#pragma once

#include "hardware/target.h"
#include "sim/lowering/program.h"
#include "sim/lowering/xla_flags.h"

namespace tilewise {

// Sets Kernel::trip of kernels in issue order from the loops of their ops. What
// runs beside the kernels belongs to the trip of its first reader (gathers,
// copies from host memory) or to that in which it starts, but for what `flags`
// let run from one trip into the next. Copies to and from host memory that
// would start before their trip are issued at its begin.
void FormTrips(Program& program, const XlaFlags& flags, const Target& target);

}  // namespace tilewise
