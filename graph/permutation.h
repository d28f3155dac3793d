// Rows taken in another order, each once.

#pragma once

#include "graph/graph_builder.h"

namespace tilewise {

// Returns where each row of `order`, a permutation, went.
OpId InverseOrder(GraphBuilder& b, OpId order);

// `order` [rows] cut off or filled up behind its end, that of each example's
// share where `rows` and it are per-batch.
OpId FitRows(GraphBuilder& b, OpId order, Dim rows);

// Gather of all rows in that order. It says so (attrs.permutes:
// no row meets another), and its gradient is a gather in the inverse order,
// where that of other gathers adds rows up. An order that was filled up takes
// more rows than there are; its gradient leaves these out.
OpId Permute(GraphBuilder& b, OpId rows, OpId order);

}  // namespace tilewise
