// What a compiler believes that a grid of a product costs when it chooses one.
// Not what the grid takes: the belief ignores that converted operands are
// converted again in every step, and so it errs.

#pragma once

#include "sim/lowering/passes/product_grid.h"

namespace tilewise {

// Cycles of the busiest core. Its form is that of a loop of double-buffered
// windows: the longest of array, HBM and on-chip traffic a step, a fixed cost a
// step, the first window and the last result. The constants are fitted on
// published float16 products: those with the compiler's grid and cycles beside
// them (tpu-v4-odd-gemm), and the times of every third row of tpu-v4-gemm whose
// dims are 128 or more; the rows left out are predicted about 1 % worse.
double BelievedCycles(const ProductDims& dims, const ProductGrid& grid,
                      const Chip& chip);

}  // namespace tilewise
