// The graph form of TensorFlow.js (model.json): GraphDef as JSON, with the
// values of constants in files beside it.

#pragma once

#include <string_view>

#include "base/status.h"
#include "frontend/tensorflow/graph_def.h"

namespace tilewise::tf {

absl::Status ReadJsGraph(std::string_view bytes, MetaGraph& meta);

}  // namespace tilewise::tf
