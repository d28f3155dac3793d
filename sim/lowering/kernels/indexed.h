// What gathers and scatters move: rows or slices at places that are data.

#pragma once

#include "sim/lowering/kernels/op_work.h"

namespace tilewise {

struct RowMoves {
  double rows = 0;    // one per place
  double pieces = 0;  // of all rows: parts of registers that they come in
  Bytes bytes;        // of all rows, with their padding
  int64_t run = 0;    // bytes that lie together
};

// The operand that rows are taken from or put into; scatter-add has none and
// its result is taken. Every slice is moved by itself, whatever the places are.
RowMoves MovesOfIndexed(const OpContext& context, const Op& op);

// Operands are read from the memory that they are in, but for the table, of
// which rows are read.
bool TakesRows(const Op& op);  // gather, gather-slices

}  // namespace tilewise
