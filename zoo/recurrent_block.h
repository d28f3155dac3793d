// Recurrent layers over a whole sequence.

#pragma once

#include "zoo/net.h"

namespace tilewise {

// x [batch, time, feature] -> [batch, time, units], in the current layer: one
// matmul of all time steps with the input kernel, then the recurrence. The
// weights are called "<prefix>kernel" and so on.
OpId RunCell(Net& net, CellKind cell, OpId x, int64_t units, bool reverse_time = false,
             std::string_view prefix = "");

// Rows of the table [vocabulary, features] for ids of any shape.
OpId LookUp(Net& net, OpId table, OpId ids);
// The same for ids [batch, position] as a matmul with rows that are one at
// their id.
OpId LookUpByMatmul(Net& net, OpId table, OpId ids);

}  // namespace tilewise
