// Work that float16 costs a vector kernel, as no vector unit calculates in it.

#pragma once

#include "sim/lowering/kernels/op_work.h"

namespace tilewise {

// Unpacking of what the kernel reads and packing of what it writes, once each.
// Nothing for kernels that only move values, and nothing for matrix kernels,
// whose windows of operands are converted as often as the grid reads them.
VectorWork HalfFloatWork(const OpContext& context, const Kernel& kernel);

}  // namespace tilewise
