// Table lookups and their gradients on the cores of one mesh axis.

#pragma once

#include <vector>

#include "sim/lowering/partition/split_values.h"

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

// Returns for each op whether it is a variable that is looked up row by row and
// whose features can be shared out, or what the optimizer keeps of it. Where
// weights are stored in parts, these are stored by features, as training
// frameworks annotate them.
std::vector<bool> FindTables(const Graph& graph, int64_t parts);

// These partition a gather from a table that is stored by its features, and the
// scatter-add of its gradient, where the cores of the axis have examples of
// their own. No core gets the table: each looks up its features for the
// examples of all, and rows and features change places between the cores; the
// gradient's rows come back the same way, and each core adds up its part for
// all examples. They return false, and do nothing, for any other op.
bool PartitionTableLookup(SplitValues& values, const Op& gather);
bool PartitionTableGradient(SplitValues& values, const Op& scatter);

}  // namespace tilewise
