// What functions of several families share.

#pragma once

#include <numeric>
#include <vector>

#include "frontend/onnx/node_context.h"
#include "frontend/onnx/op_table.h"
#include "library/op_functions.h"

namespace tilewise::onnx {

// `activation` by name (Relu, LeakyRelu, Clip...) with its parameters; fails on
// an unknown one. An empty name: x itself.
OpId Activated(NodeContext& ctx, OpId x, std::string_view activation,
               const std::vector<double>& parameters);

// The dim of an attribute "axis", counted from the end when negative.
int64_t AxisOf(NodeContext& ctx, std::string_view name, int64_t fallback, int64_t rank);

// A bound on window attributes, so that arithmetic on them cannot overflow.
bool InWindowRange(NodeContext& ctx, const std::vector<int64_t>& values);

// 0, 1, ... rank - 1.
inline std::vector<int64_t> AllDims(const Shape& shape) {
  std::vector<int64_t> dims(shape.dims.size());
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

}  // namespace tilewise::onnx
