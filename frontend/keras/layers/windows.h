// Windows of convolutions and pooling from their Keras arguments.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/keras/layer_context.h"

namespace tilewise {

struct WindowArguments {
  std::vector<int64_t> sizes, strides, dilations;
  std::string_view padding;  // "valid", "same", "causal"
};

// Pads so that the result has ceil(input / stride) positions for "same", the
// odd one at the end; all of it in front for "causal"; none for "valid". Other
// words fail.
std::vector<WindowDim> MakeWindow(LayerContext& ctx, OpId x, const WindowArguments& arguments,
                                  bool channels_first);

}  // namespace tilewise
