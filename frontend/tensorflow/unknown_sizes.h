// Integers that say what an op does, but are not in the file: the constants of
// TensorFlow.js are in files of their own.

#pragma once

#include <string_view>
#include <vector>

#include "frontend/tensorflow/ops/graph_state.h"

namespace tilewise::tf {

// Whether the op has such operands.
bool HasUnknownSizes(std::string_view op);
// Puts what is most usual into operands whose numbers are not known, and notes
// it. Operands that are computed are left alone.
void FillUnknownSizes(GraphState& state, const NodeDef& node, std::vector<Value>& inputs);

}  // namespace tilewise::tf
