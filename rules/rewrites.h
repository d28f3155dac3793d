// Changes of graphs that several rules make: each says in a sentence what the
// program is then.

#pragma once

#include <optional>

#include "graph/graph_builder.h"
#include "session/change.h"

namespace tilewise {

// `table` of `graph`, a variable of short rows that only lookups read, with as
// many rows in one of `lanes` elements as fit there; a lookup takes the row
// that has its own in it, and leaves the others out. Empty where the table is
// something else.
Change PackedRows(const Graph& graph, OpId table, int64_t lanes);

// Length of the dim that the op picks from or adds to, when whole slices along
// that one dim are meant and the elements are floats; none for other ops.
std::optional<int64_t> OneHotDepth(const Graph& graph, const Op& op);

// What gives the result of such an op. `operands`: those of the op.
OpId OneHotMatmul(GraphBuilder& builder, const Op& op, std::span<const OpId> operands);

// Every value of type `from`, inputs, variables and results too, is `to`; but
// not variables that the graph writes. Empty where an op works on the bits of
// such values.
Change InOtherType(const Graph& graph, DType from, DType to);

}  // namespace tilewise
