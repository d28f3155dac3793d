// The cost model of a compiler for a matmul in windows, its operands converted
// on the way: the costs that decide between grids, in cycles of one core. See
// sim/lowering/tile_selection/cost_model.h.

#pragma once

namespace tilewise {

struct MatmulCostModel {
  // These are per mxu_side x mxu_side tile of a step's windows.
  double stationary_cycles = 29;  // of the operand that the array holds
  double streamed_cycles = 10.5;  // of the one whose rows pass, in row-major
  double partial_cycles = 0.13;   // per register of a sum that goes on
  double step_cycles = 440;
  // These are per KiB of what nothing overlaps.
  double first_cycles = 0.47;     // first windows, all values row-major
  double first_hbm_cycles = 5.5;  // first window from HBM, other layouts
  double last_cycles = 5.3;       // last window of the result

  // The same of a kernel that transposes its result on the way out.
  struct Transposed {
    double step_cycles = 30;
    double streamed_cycles = 3.4;  // of rhs from the second on-chip memory
    double result_cycles = 4;      // per register of the result, in every step
    double first_cycles = 2.2;     // windows that nothing overlaps
    double last_cycles = 4;
  } transposed;
};

}  // namespace tilewise
