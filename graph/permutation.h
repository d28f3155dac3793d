// Rows taken in another order, each once.

#pragma once

#include "graph/graph_builder.h"

namespace tilewise {

// Where each row of `order`, a permutation, went.
OpId InverseOrder(GraphBuilder& b, OpId order);

// Gather of all rows in that order. It says so (attrs.assign, as of scatters:
// no row meets another), and its gradient is a gather in the inverse order,
// where that of other gathers adds rows up.
OpId Permute(GraphBuilder& b, OpId rows, OpId order);

}  // namespace tilewise
