// Windows of convolutions and pools as ONNX writes them in attributes.

#pragma once

#include <vector>

#include "frontend/onnx/node_context.h"
#include "graph/op.h"

namespace tilewise::onnx {

struct WindowSpec {
  std::vector<WindowDim> dims;
  std::vector<int64_t> ceil_extra;  // of ceil_mode, per dim
};

// `sizes` of the window, `spatial` of the operand. Fails on counts that do not
// fit and on numbers that could overflow.
WindowSpec WindowOf(NodeContext& ctx, const std::vector<int64_t>& sizes,
                    const std::vector<int64_t>& spatial);

// Operand 0 convolved with a kernel [spatial.., in/groups, out].
OpId Convolved(NodeContext& ctx, OpId x, OpId kernel);
// The kernel's order of dims for that, from [out, in/groups, spatial..].
std::vector<int64_t> KernelOrder(int64_t rank);

}  // namespace tilewise::onnx
