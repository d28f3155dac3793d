// Softmax where a program has it in parts.

#pragma once

#include <optional>

#include "graph/graph.h"

namespace tilewise {

// `forward` with one op for every softmax that it writes out, as lowered
// programs do; nothing when it writes out none. Ids stay: parts that nobody
// uses any more are left to be dropped. Needed before gradients are taken:
// tf.nn and jax.nn give softmax a gradient in closed form, not that of its
// parts, and the loss on a softmax starts from its logits.
std::optional<Graph> WithSoftmaxes(const Graph& forward);

}  // namespace tilewise
