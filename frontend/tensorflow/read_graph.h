// The binary form of GraphDef -> GraphDef. Texts are views into the bytes,
// which must outlive it.

#pragma once

#include <string_view>

#include "base/status.h"
#include "frontend/tensorflow/graph_def.h"

namespace tilewise::tf {

// Adds to `graph`. Errors: malformed fields, more nodes or attributes than any
// model has; `what` ("graph_def") is named in them.
absl::Status ReadGraph(std::string_view bytes, std::string_view what, GraphDef& graph);
// A FunctionDefLibrary.
absl::Status ReadLibrary(std::string_view bytes, GraphDef& graph);

}  // namespace tilewise::tf
