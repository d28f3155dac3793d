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

// By op: variables that are looked up row by row and whose features can be
// shared out, and what the optimizer keeps of them. Where weights are stored in
// parts, these are stored by features, as training frameworks annotate them.
std::vector<bool> FindTables(const Graph& graph, int64_t parts);

// Where the cores of the axis have examples of their own: a gather from a table
// that is stored by its features, and the scatter-add of its gradient. No core
// gets the table: each looks up its features for the examples of all, and rows
// and features change places between the cores; the gradient's rows come back
// the same way, and each core adds up its part for all examples. False, and
// nothing done, for any other.
bool PartitionTableLookup(SplitValues& values, const Op& gather);
bool PartitionTableGradient(SplitValues& values, const Op& scatter);

}  // namespace tilewise
