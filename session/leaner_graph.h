// Forward graphs of the same meaning that need less memory.

#pragma once

#include <cstdint>
#include <optional>

#include "graph/graph.h"

namespace tilewise {

// The logits of a vocabulary in `tiles` equal parts of the positions, each made
// just before its loss and once more for its gradients. Nothing where the model
// ends in no such matmul, or computes its loss itself.
std::optional<Graph> WithTiledLogits(const Graph& forward, int64_t tiles);

// Attention in one kernel that does not keep its scores. Nothing where there is
// none that does.
std::optional<Graph> WithFlashAttention(const Graph& forward);

}  // namespace tilewise
