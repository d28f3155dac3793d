// What must hold of a graph after every pass.

#pragma once

#include "base/status.h"
#include "graph/graph.h"

namespace tilewise {

// Ids are positions, operands precede users, shapes are static and equal to
// those inferred from the operands, outputs name existing values and variables
// of their shape. Errors: internal, naming the op.
absl::Status VerifyGraph(const Graph& graph);

}  // namespace tilewise
