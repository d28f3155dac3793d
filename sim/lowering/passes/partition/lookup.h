// Table lookups and their gradients on the cores of one mesh axis.

#pragma once

#include "sim/lowering/passes/partition/split_values.h"

namespace tilewise {

// A gather from a table whose form is still free: the table is stored by its
// features and the rows are joined behind it; by its rows when a matrix op uses
// it too, where each core looks up the rows that it has and the results are
// summed. False, and nothing done, for any other gather.
bool PartitionFreeLookup(SplitValues& values, const Op& gather);

// A gather from a table that is stored by its rows, and the scatter-add of the
// gradient of a table that is stored in parts. False, and nothing done, for any
// other.
bool PartitionStoredLookup(SplitValues& values, const Op& op);

}  // namespace tilewise
