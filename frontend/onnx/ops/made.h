// Op functions made of tensor operations: wrappers for the table.

#pragma once

#include <numeric>
#include <vector>

#include "frontend/onnx/node_context.h"
#include "frontend/onnx/op_table.h"

namespace tilewise::onnx {

// One graph op of one operand.
template <OpKind kKind>
void PlainUnary(NodeContext& ctx) {
  ctx.Set(0, ctx.builder().Unary(kKind, ctx.Input(0)));
}

// A tensor operation of one operand.
template <OpId (*kMake)(GraphBuilder&, OpId)>
void MadeUnary(NodeContext& ctx) {
  ctx.Set(0, kMake(ctx.builder(), ctx.Input(0)));
}

// A graph op of one operand, folded when that is known.
template <OpKind kKind, KnownUnaryOp kKnown>
void FoldedUnary(NodeContext& ctx) {
  if (const KnownValue* x = ctx.Folded(0)) {
    if (ctx.SetIfKnown(0, KnownUnary(kKnown, *x))) return;
  }
  PlainUnary<kKind>(ctx);
}

// Result `i` is operand `j` as it is, whatever that is.
void PassOn(NodeContext& ctx, size_t i, size_t j);

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
