// Gradients of sort, top-k, running reductions and dynamic slices: what was
// moved is moved back.

#include "graph/gradients/gradient.h"

namespace tilewise {
namespace {

// [..,n] -> [.. x n].
OpId Flat(GraphBuilder& b, OpId x) {
  return b.Reshape(x, {{b.shape(x).elements(), false}});
}

// dy moved to the places that `indices` (s32, of dy's dims) name in the last
// dim of `shape`; places named by none are zero. One row update per element.
OpId ScatterLastDim(GraphBuilder& b, OpId indices, OpId dy,
                    const Shape& shape) {
  const int64_t size = shape.sizes().back();
  const int64_t rows = shape.elements() / size;
  const std::vector<Dim> dims = b.shape(dy).dims;
  const int64_t picked = dims.back().factor;
  const OpId row_start = b.BinaryScalar(
      OpKind::kMultiply, b.Iota(Shape::Of(DType::kS32, {rows, picked}), 0),
      static_cast<double>(size));
  const OpId places =
      b.Binary(OpKind::kAdd, row_start,
               b.Reshape(indices, {{rows, false}, {picked, false}}));
  const OpId flat = b.ScatterAdd(Flat(b, places), Flat(b, dy),
                                 Shape::Of(shape.dtype, {shape.elements()}));
  return b.Reshape(flat, shape.dims);
}

// Exchanges `dim` with the last one; its own inverse.
OpId SwapLast(GraphBuilder& b, OpId x, int64_t dim) {
  const int64_t last = b.shape(x).rank() - 1;
  if (dim == last) return x;
  std::vector<int64_t> order;
  for (int64_t d = 0; d <= last; ++d) order.push_back(d);
  std::swap(order[static_cast<size_t>(dim)], order.back());
  return b.Transpose(x, std::move(order));
}

std::vector<OpId> Starts(const GradientCall& call, ptrdiff_t first) {
  return {call.op.operands.begin() + first, call.op.operands.end()};
}

OpId Zeros(GraphBuilder& b, const Shape& shape) { return b.Constant(0, shape); }

}  // namespace

// The result's elements came from the places that a sort of the places by the
// same keys gives.
Gradients SortGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const int64_t dim = call.op.attrs->dims[0];
  const auto moved = static_cast<size_t>(call.op.attrs->result);
  Gradients result(call.op.operands.size(), kNoOp);
  if (!call.wants(moved)) return result;
  const Shape keys = call.shape(0);
  const OpId places = b.Iota(keys.WithType(DType::kS32), dim);
  const OpId from =
      b.Sort({call.operand(0), places}, dim, call.op.attrs->descending, 1);
  const OpId dy = SwapLast(b, call.dy, dim);
  const OpId dx = ScatterLastDim(b, SwapLast(b, from, dim), dy, b.shape(dy));
  result[moved] = SwapLast(b, dx, dim);
  return result;
}

Gradients TopKGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId indices = b.TopK(call.operand(0), call.op.attrs->k, 1);
  return {ScatterLastDim(b, indices, call.dy, call.shape(0))};
}

// Each element is in the sums that follow it.
Gradients CumulativeSumGradient(const GradientCall& call) {
  return {call.builder.Cumulative(
      Reducer::kSum, call.dy, call.op.attrs->dims[0], !call.op.attrs->reverse)};
}

// d/dx_j of the products that x_j is in: those products over x_j. No element
// may be zero.
Gradients CumulativeProductGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId weighted = b.Binary(OpKind::kMultiply, call.dy, call.op.id);
  const OpId sums = b.Cumulative(
      Reducer::kSum, weighted, call.op.attrs->dims[0], !call.op.attrs->reverse);
  return {b.Binary(OpKind::kDivide, sums, call.operand(0))};
}

Gradients DynamicSliceGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  Gradients result(call.op.operands.size(), kNoOp);
  result[0] = b.DynamicUpdateSlice(Zeros(b, call.shape(0)), call.dy,
                                   Starts(call, 1), call.op.attrs->dims);
  return result;
}

Gradients DynamicUpdateSliceGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const std::vector<int64_t>& dims = call.op.attrs->dims;
  const Shape part = call.shape(1);
  Gradients result(call.op.operands.size(), kNoOp);
  if (call.wants(0)) {
    result[0] =
        b.DynamicUpdateSlice(call.dy, Zeros(b, part), Starts(call, 2), dims);
  }
  if (call.wants(1)) {
    std::vector<int64_t> sizes;
    for (const int64_t dim : dims) sizes.push_back(part.size(dim));
    result[1] = b.DynamicSlice(call.dy, Starts(call, 2), dims, sizes);
  }
  return result;
}

Gradients BarrierGradient(const GradientCall& call) {
  Gradients result(call.op.operands.size(), kNoOp);
  result[0] = call.dy;
  return result;
}

}  // namespace tilewise
