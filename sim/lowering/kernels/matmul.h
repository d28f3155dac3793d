// A matrix matmul as the systolic array runs it.

#pragma once

#include <cstdint>
#include <vector>

#include "sim/lowering/program.h"

namespace tilewise {

// One way to run the matmul: `tiles` stationary tiles, `rows` streamed past
// each. Rows are padded to the sublanes.
struct Stationary {
  int64_t tiles = 0;
  int64_t rows = 0;
};

// Cycles of the array for one choice, as the simulator counts them: tiles, or
// the rows of each, are spread over the matrix units, and the latch of the next
// tile hides behind the rows of the current one (tpu-hardware 3.1).
double MatrixCycles(const MatrixWork& work, const Chip& chip);

// MatrixWork::rate of matmuls of two values of these types: that of the wider
// one. 1 where the unit has no path for it and it is converted.
double MatrixRate(DType lhs, DType rhs, const Chip& chip);

// The fastest of the choices, the first of equals.
MatrixWork ChooseStationary(const std::vector<Stationary>& choices, double useful_flops,
                            int64_t passes, const Chip& chip);

// [m,k] x [k,n], `batch` times; either operand may be the stationary one.
MatrixWork MatrixProduct(int64_t batch, int64_t m, int64_t k, int64_t n, int64_t passes,
                         const Chip& chip);

}  // namespace tilewise
