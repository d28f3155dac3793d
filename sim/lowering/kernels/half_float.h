// Work that float16 costs a vector kernel, as no vector unit calculates in it.

#pragma once

#include "sim/lowering/kernels/op_work.h"

namespace tilewise {

// Returns the unpacking of what the kernel reads and the packing of what it
// writes, once each. It is nothing for kernels that only move values, and for
// matrix kernels, whose windows of operands are converted as often as the grid
// reads them.
VectorWork HalfFloatWork(const OpContext& context, const Kernel& kernel);

}  // namespace tilewise
