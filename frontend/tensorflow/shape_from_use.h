// The shape of an input that the file leaves open altogether, from what is done
// with it.

#pragma once

#include <optional>

#include "frontend/tensorflow/graph_index.h"

namespace tilewise::tf {

// A walk over the graph. nullopt: its uses do not say.
std::optional<TensorShape> ShapeFromUse(const GraphIndex& index, int32_t input, DataType type);

}  // namespace tilewise::tf
