// The cost model of a compiler for a matmul in windows, its operands converted
// on the way: the costs that decide between grids, in cycles of one core. See
// sim/lowering/tile_selection/cost_model.h.

#pragma once

namespace tilewise {

struct MatmulCostModel {
  double stationary_cycles = 29;  // per mxu_side x mxu_side tile that the array holds in a step
  double partial_cycles = 0.13;   // per register of a sum that goes on
  double step_cycles = 440;
  // These are per KiB of what nothing overlaps.
  double first_hbm_cycles = 5.5;  // first windows from HBM
  double last_cycles = 5.3;       // last window of the result

  // The same of a kernel whose values all have their rows in the sublanes.
  struct RowMajor {
    double stationary_cycles = 4.2;  // per tile of rhs in a step, which the array holds
    double streamed_cycles = 10.3;   // per tile of lhs, whose rows pass
    double step_cycles = 540;
    double result_cycles = 2000;  // per window of the result
    double first_hbm_cycles = 1.02;
    double first_rhs_cycles = 16;  // of rhs from the second on-chip memory
    double last_cycles = 17.8;
  } row_major;

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
