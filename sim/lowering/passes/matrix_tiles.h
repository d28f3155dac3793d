// The grid of a matrix kernel: how often it reads its operands again.

#pragma once

#include <cstdint>

#include "sim/lowering/program.h"

namespace tilewise {

// Bytes of the three values of a matrix product, [m,k] x [k,n] -> [m,n], and
// of what else the epilogue reads and writes beside the result. A batched
// product is `batch` such products side by side, the bytes are those of all.
struct MatrixBytes {
  double lhs = 0;
  double rhs = 0;
  double result = 0;
  double batch = 1;
  double max_m_blocks = 1;  // whole tiles of rows, of columns, of depth
  double max_n_blocks = 1;
  double max_k_blocks = 1;
};

struct MatrixGrid {
  double steps = 1;
  double window = 0;    // bytes in VMEM, single-buffered
  double reads = 0;     // of lhs and rhs, re-reads included
  double m_blocks = 1;  // each block of rhs is worked on so many times
  double n_blocks = 1;  // each block of lhs
  bool fits = false;    // two buffers of the window within the budget
};

// The grid with the least time of traffic, first window and step overheads:
// lhs is read again for every block of columns and rhs for every block of rows,
// unless the innermost loop keeps its block (mkn/bn + mkn/bm + mn,
// tpu-hardware 3.4). Products of a batch share nothing: a window has several of
// them, one, or a part of one.
MatrixGrid ChooseMatrixGrid(const MatrixBytes& bytes, const Chip& chip);

}  // namespace tilewise
