// Sort and top-k: what was moved is moved back in their gradients.

#include <utility>

#include <fmt/format.h>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

ShapeOr SortShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<SortAttrs>();
  TW_RETURN_IF_ERROR(CheckOneDim(attrs.dims, *operands[0], "order along"));
  TW_RETURN_IF_ERROR(CheckResultNumber(attrs.result, static_cast<int64_t>(operands.size())));
  for (size_t i = 1; i < operands.size(); ++i) {
    TW_RETURN_IF_ERROR(CheckSame(operands, i, operands[0]->WithType(operands[i]->dtype)));
  }
  return *operands[attrs.result];
}

ShapeOr TopKShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<TopKAttrs>();
  TW_RETURN_IF_ERROR(CheckResultNumber(attrs.result, 2));
  Shape shape = *operands[0];
  if (shape.rank() < 1 || shape.dims.back().per_batch) {
    return WrongOperand(0, shape, "a last dim that does not depend on the batch");
  }
  if (attrs.k < 1 || attrs.k > shape.dims.back().factor) {
    return InvalidInput(
        fmt::format("found k {}, expected 1 to {}", attrs.k, shape.dims.back().factor));
  }
  shape.dims.back().factor = attrs.k;
  if (attrs.result == 1) shape.dtype = DType::kS32;
  return shape;
}

// [..,n] -> [.. x n].
OpId Flat(GraphBuilder& b, OpId x) { return b.Reshape(x, {{b.shape(x).elements(), false}}); }

// dy moved to the positions that `indices` (s32, of dy's dims) name in the last
// dim of `shape`; positions named by none are zero. One row update per element.
OpId ScatterLastDim(GraphBuilder& b, OpId indices, OpId dy, const Shape& shape) {
  const int64_t size = shape.sizes().back();
  const int64_t rows = shape.elements() / size;
  const std::vector<Dim> dims = b.shape(dy).dims;
  const int64_t picked = dims.back().factor;
  const OpId row_start =
      b.BinaryScalar(OpKind::kMultiply, b.Iota(Shape::Of(DType::kS32, {rows, picked}), 0),
                     static_cast<double>(size));
  const OpId places =
      b.Binary(OpKind::kAdd, row_start, b.Reshape(indices, {{rows, false}, {picked, false}}));
  const OpId flat =
      b.ScatterAdd(Flat(b, places), Flat(b, dy), Shape::Of(shape.dtype, {shape.elements()}));
  return b.Reshape(flat, shape.dims);
}

// Exchanges `dim` with the last one; its own inverse.
OpId SwapLast(GraphBuilder& b, OpId x, int64_t dim) {
  const int64_t last = b.shape(x).rank() - 1;
  if (dim == last) return x;
  std::vector<int64_t> order;
  for (int64_t d = 0; d <= last; ++d) order.push_back(d);
  std::swap(order[dim], order.back());
  return b.Transpose(x, std::move(order));
}

// The result's elements came from the positions that a sort of an iota by the
// same keys gives.
Gradients SortGradient(const GradientCall& call) {
  const auto& attrs = call.op.as<SortAttrs>();
  GraphBuilder& b = call.builder;
  const int64_t dim = attrs.dims[0];
  const size_t moved = attrs.result;
  Gradients result(call.op.operands.size(), kNoOp);
  if (!call.wants(moved)) return result;
  const Shape keys = call.shape(0);
  const OpId places = b.Iota(keys.WithType(DType::kS32), dim);
  const OpId from = b.Sort({call.operand(0), places}, dim, attrs.descending, 1);
  const OpId dy = SwapLast(b, call.dy, dim);
  const OpId dx = ScatterLastDim(b, SwapLast(b, from, dim), dy, b.shape(dy));
  result[moved] = SwapLast(b, dx, dim);
  return result;
}

Gradients TopKGradient(const GradientCall& call) {
  const auto& attrs = call.op.as<TopKAttrs>();
  if (attrs.result != 0) return NoGradient(call);  // of indices
  GraphBuilder& b = call.builder;
  const OpId indices = b.TopK(call.operand(0), attrs.k, 1);
  return {ScatterLastDim(b, indices, call.dy, call.shape(0))};
}

void LinkAllButLast(const LinkCall& call) { LinkLeading(call, {0}, call.rank() - 1); }

constexpr auto kSortFields =
    FieldsOf<SortAttrs, &SortAttrs::dims, &SortAttrs::descending, &SortAttrs::result>(
        "dims", "descending", "result");

constexpr auto kTopKFields = FieldsOf<TopKAttrs, &TopKAttrs::k, &TopKAttrs::result>("k", "result");

}  // namespace

// keys, values..: operand attrs.result in the order of the keys along
// attrs.dims[0], from the largest if attrs.descending. Ties keep their order.
constexpr OpTraits op_traits::kSort = {.operands = OpTraits::kAtLeastOne,
                                       .attributes = kSortFields,
                                       .shape = SortShape,
                                       .gradient = SortGradient,
                                       .links = LinkSame};
// x: the attrs.k largest of the last dim, descending. Results: 0 their values,
// 1 their indices, s32.
constexpr OpTraits op_traits::kTopK = {.operands = 1,
                                       .attributes = kTopKFields,
                                       .shape = TopKShape,
                                       .gradient = TopKGradient,
                                       .links = LinkAllButLast};

}  // namespace tilewise
