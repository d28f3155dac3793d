// Lookups in a table of short rows that were packed into whole rows of lanes.

#pragma once

#include "session/change.h"

namespace tilewise {

// `table` of `graph`, a variable of short rows that only lookups read, with as
// many rows in one of `lanes` elements as fit there; a lookup takes the row
// that has its own in it, and leaves the others out. Empty where the table is
// something else.
Change PackedRows(const Graph& graph, OpId table, int64_t lanes);

}  // namespace tilewise
