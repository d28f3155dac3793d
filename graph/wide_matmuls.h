// What a narrower type of activations would change.

#pragma once

#include "graph/graph.h"

namespace tilewise {

// Whether dots, convolutions, attention or recurrent layers have f32 results.
bool HasWideMatmuls(const Graph& graph);

}  // namespace tilewise
