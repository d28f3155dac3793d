// How a compiler cuts a matmul whose operands the matrix unit has no path for:
// every dim into near-equal windows, those of one dim shared out to the cores.

#pragma once

#include <cstdint>

#include "sim/lowering/lower.h"

namespace tilewise {

// [m,k] x [k,n] -> [m,n], `batch` times, and how its values lie in memory.
struct MatmulDims {
  int64_t batch = 1;
  int64_t m = 1;
  int64_t n = 1;
  int64_t k = 1;
  bool lhs_transposed = false;     // m in the lanes; else k
  bool rhs_transposed = false;     // k in the lanes; else n
  bool result_transposed = false;  // m in the lanes; else n
  int64_t lhs_bytes = 2;           // of an element
  int64_t rhs_bytes = 2;
  int64_t result_bytes = 2;
  bool lhs_on_chip = false;  // prefetched into the second on-chip memory
  bool rhs_on_chip = false;
};

// Loops from the outermost: n, m, k.
struct MatmulGrid {
  int64_t n_windows = 1, m_windows = 1, k_windows = 1;  // of all cores
  int64_t n_size = 1, m_size = 1, k_size = 1;           // whole tiles
  int64_t n_per_core = 1, m_per_core = 1;               // windows of the busiest core
  int64_t batch_per_core = 1;
  bool cores_share_n = true;  // else m; with a batch, that is shared out
  // Whole windows over the tiles of the dim: one that is cut at the edge takes as long.
  double n_cover = 1, m_cover = 1;

  int64_t steps() const { return batch_per_core * n_per_core * m_per_core * k_windows; }
};

// What two buffers of each window and the accumulator take of a core's VMEM.
Bytes GridBytes(const MatmulDims& dims, const MatmulGrid& grid);

// The grid with the fewest cycles by the compiler's model (cost_model.h),
// the first of equals, among those within the window budget of a core; the
// smallest windows when none is.
MatmulGrid ChooseMatmulGrid(const MatmulDims& dims, const Chip& chip);

// The grid of these cuts.
MatmulGrid GivenMatmulGrid(const MatmulDims& dims, const MatmulCuts& cuts, const Chip& chip);

}  // namespace tilewise
