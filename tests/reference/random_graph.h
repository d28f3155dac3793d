// Small random valid forward graphs for property tests: the same seed gives
// the same graph. Parameters are per batch; Bind before evaluating.

#pragma once

#include <cstdint>

#include "graph/graph.h"

namespace tilewise::reference {

// About `steps` layers of convolutions, dots, pooling, norms, elementwise and
// data movement on images, sequences and vectors. Every value that nothing
// uses is a result.
Graph RandomGraph(uint32_t seed, int steps);

// The same, but one result "logits" of f32[N,classes] and nothing else.
// Differentiable almost everywhere.
Graph RandomClassifier(uint32_t seed, int steps, int64_t classes = 3);

}  // namespace tilewise::reference
