// The grid of a matrix kernel: how often it reads its operands again.

#pragma once

#include <cstdint>

#include "sim/lowering/tile_selection/window_time.h"

namespace tilewise {

// Bytes of the values of a matrix matmul, [m,k] x [k,n] -> [m,n], and of what
// else the kernel reads besides its operands. A batched matmul is `batch` such
// matmuls side by side, the bytes are those of all.
struct MatrixBytes {
  WindowBytes lhs, rhs;
  WindowBytes beside;   // read
  WindowBytes written;  // the result, and what else the kernel writes
  double batch = 1;
  double max_m_blocks = 1;  // whole tiles of rows, of columns, of depth
  double max_n_blocks = 1;
  double max_k_blocks = 1;
};

struct MatrixGrid {
  double steps = 1;
  double window = 0;                        // bytes in VMEM, single-buffered
  double lhs_times = 1, rhs_times = 1;      // each byte is read
  double m_blocks = 1, n_blocks = 1;        // of each matmul
  double lhs_windows = 1, rhs_windows = 1;  // of all matmuls
  double results = 1;                       // windows of the result
  bool fits = false;                        // two buffers of the window within the budget
};

// The grid that takes least time: lhs is read again for every block of columns
// and rhs for every block of rows, unless the innermost loop keeps its block
// (mkn/bn + mkn/bm + mn, tpu-hardware 3.4). Matmuls of a batch share nothing:
// a window has several of them, one, or a part of one.
MatrixGrid ChooseMatrixGrid(const MatrixBytes& bytes, const WindowCosts& costs, const Chip& chip);

}  // namespace tilewise
