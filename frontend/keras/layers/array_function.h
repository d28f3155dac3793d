// Framework functions that arrange elements anew, and the arguments of calls.

#pragma once

#include <initializer_list>

#include "frontend/keras/layer_context.h"

namespace tilewise {

// The first of these keyword arguments that the call has, or null. The Python
// reader names positional arguments "x", "y" and "z".
const nlohmann::json* Argument(const LayerContext& ctx, std::initializer_list<const char*> names);

// An argument that cannot be read gives an opaque result; one that does not fit
// the shape fails the builder.
OpId ReshapeTo(LayerContext& ctx);
OpId TransposeTo(LayerContext& ctx);  // all dims reversed without "perm"
OpId ExpandDims(LayerContext& ctx);
OpId Squeeze(LayerContext& ctx);
OpId ConcatenateInputs(LayerContext& ctx);
OpId StackInputs(LayerContext& ctx);

}  // namespace tilewise
