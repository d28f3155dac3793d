// Framework functions that are made of the readers' tensor operations.

#pragma once

#include <string_view>

#include "frontend/keras/layer_context.h"

namespace tilewise {

// By the last part of its name: "einsum", "get_item"; null when there is none.
LayerFunction FindTensorFunction(std::string_view name);

}  // namespace tilewise
