// Small random valid forward graphs for property tests: the same seed gives
// the same graph. Parameters are per batch; Bind before evaluating.

#pragma once

#include <cstdint>

#include "graph/graph.h"

namespace tilewise::reference {

// About `steps` layers of convolutions, dots, pooling, norms, elementwise and
// data movement on images, sequences and vectors. Every value that nothing
// uses is a result. `rare_kinds`: ops that compilers write and layers do not
// are among them.
Graph RandomGraph(uint32_t seed, int steps, bool rare_kinds = false);

// The same, but one result "logits" of f32[N,classes] and nothing else.
// Differentiable almost everywhere.
Graph RandomClassifier(uint32_t seed, int steps, int64_t classes = 3, bool rare_kinds = false);

}  // namespace tilewise::reference
