// A graph of TensorFlow as read -> Workload.

#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "frontend/tensorflow/graph_def.h"
#include "workload/workload.h"

namespace tilewise::tf {

// Errors name the node.
absl::StatusOr<Workload> BuildWorkload(const MetaGraph& meta, const std::string& file,
                                       std::string_view format);

}  // namespace tilewise::tf
