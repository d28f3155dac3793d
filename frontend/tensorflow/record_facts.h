// What nodes say besides what they compute: ops that run on the host, sizes
// that are data, devices.

#pragma once

#include <span>

#include "frontend/tensorflow/graph_def.h"
#include "frontend/tensorflow/ops/graph_state.h"

namespace tilewise::tf {

// Whether RecordFacts has something to say of the node.
bool HasFacts(const NodeDef& node);

// Records facts of a node with these operands whose ops are [first, size of the
// graph).
void RecordFacts(GraphState& state, const NodeDef& node, std::span<const Value> inputs, OpId first);

// What holds for the graph as a whole. `training`: it has its updates.
void CloseFacts(GraphState& state, bool training);

}  // namespace tilewise::tf
