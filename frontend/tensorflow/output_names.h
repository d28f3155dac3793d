// Inside functions an input is written "node:output:index": which of the node's
// results that is.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "frontend/tensorflow/graph_def.h"

namespace tilewise::tf {

// Number of the first result called `output`; 0 when the op has one kind of
// result, or is not known.
int64_t OutputOffset(const GraphDef& graph, const NodeDef& node, std::string_view output);
// How many tensors an argument or result of a function stands for in a call
// with these attributes.
int64_t TensorCount(const ArgDef& arg, Attrs call);

}  // namespace tilewise::tf
