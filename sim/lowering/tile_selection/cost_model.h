// Tells what a grid of a matmul costs by the cost model with which a compiler chooses. That is not
// what the grid takes: the model ignores that converted operands are converted again in every step,
// and so it errs.

#pragma once

#include "sim/lowering/tile_selection/matmul_grid.h"

namespace tilewise {

// Cycles of the busiest core: the array at its peak; in every step a fixed
// cost, and one for each of the array's tiles in the windows of the operands;
// then what nothing overlaps, the first windows and the last result. HBM's
// time between the ends is not in it: among the grids that a budget admits it
// decides nothing, as float16 matmuls are bound by their conversions. The
// constants are those of the chip (hardware/matmul_cost_model.h), fitted on
// published float16 matmuls with and without the compiler's own grid; several
// sets of values choose nearly the same grids.
double CostModelCycles(const MatmulDims& dims, const MatmulGrid& grid, const Chip& chip);

}  // namespace tilewise
