// Weights of layers that are scanned, which a program keeps as one stack.

#pragma once

#include "graph/graph.h"

namespace tilewise {

// Whether an op gives the elements of its operand in another order or type.
bool IsRelabeling(OpKind kind);

// The graph in which each iteration of a loop over layers has weights of its own, in place of its
// row of a stack: a core gathers and casts the weights of one layer at a time. Stacks that are
// read otherwise stay.
absl::StatusOr<Graph> SplitStacks(Graph graph);

}  // namespace tilewise
