// Elementwise combination, for the layers and functions that need it.

#pragma once

#include <optional>

#include "frontend/keras/layer_context.h"

namespace tilewise {

// The inputs combined from left to right, stretched to a common shape. A call
// with one tensor takes its number as the other operand.
OpId CombineInputs(LayerContext& ctx, OpKind kind);

// The plain number among the arguments of a call, such as 2 in `x * 2`.
std::optional<double> NumberArgument(const LayerContext& ctx);

}  // namespace tilewise
