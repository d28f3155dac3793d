// The model as mixed precision runs it.

#pragma once

#include "base/status.h"
#include "graph/graph.h"

namespace tilewise {

// The forward graph with f32 activations in bf16; weights and inputs stay as
// they are and are converted where they enter, results are converted back.
// Errors: an op that does not take bf16.
absl::StatusOr<Graph> InBf16(const Graph& forward);

}  // namespace tilewise
