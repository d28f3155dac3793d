// See one_hot.h. A row of the one-hot matrix has a 1 where the index points;
// products with it are exact in as many passes as the operand's type needs.

#include "rules/operators/one_hot.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tilewise {
namespace {

// Passes that keep all bits of the operand: an f32 is three bf16 numbers.
int64_t PassesFor(DType dtype) { return dtype == DType::kF32 ? 3 : 1; }

bool IsWhole(const Dim& dim, int64_t size) {
  return size == kWholeDim || (!dim.per_batch && dim.factor == size);
}

// Slices that are all of every dim but start_dims[0] and the batch dims.
bool TakesOneDim(const GatherDims& dims, const Shape& operand) {
  if (dims.start_dims.size() != 1 || dims.collapsed_dims != dims.start_dims) {
    return false;
  }
  for (size_t i = 0; i < dims.slice_sizes.size(); ++i) {
    const auto dim = static_cast<int64_t>(i);
    if (dim == dims.start_dims[0] ||
        std::ranges::find(dims.operand_batch, dim) != dims.operand_batch.end()) {
      continue;
    }
    if (!IsWhole(operand.dims[i], dims.slice_sizes[i])) return false;
  }
  return true;
}

// [indices.., depth]: 1 where the last dim is the index, else 0.
OpId OneHot(GraphBuilder& builder, OpId indices, Dim depth, DType dtype) {
  std::vector<Dim> dims = builder.shape(indices).dims;
  std::vector<int64_t> mapping(dims.size());
  std::iota(mapping.begin(), mapping.end(), 0);
  dims.push_back(depth);
  const DType type = builder.shape(indices).dtype;
  const auto last = static_cast<int64_t>(dims.size()) - 1;
  const OpId wide = builder.Broadcast(indices, dims, mapping);
  const OpId counted = builder.Iota(Shape(type, dims), last);
  return builder.Convert(builder.Compare(Comparison::kEq, wide, counted), dtype);
}

// Indices without the dim of size 1 that holds their one component.
OpId PlainIndices(GraphBuilder& builder, OpId indices, int64_t index_dim) {
  std::vector<Dim> dims = builder.shape(indices).dims;
  if (index_dim >= static_cast<int64_t>(dims.size())) return indices;
  dims.erase(dims.begin() + index_dim);
  return builder.Reshape(indices, std::move(dims));
}

// Moves the dims of the product to where the gather has them: slices at
// offset_dims, index dims in the other places.
OpId InPlace(GraphBuilder& builder, OpId product, const GatherDims& dims, int64_t index_rank) {
  // Of each dim of the product: the index dim that it is, -1: of the slice.
  std::vector<int64_t> index_of = dims.indices_batch;
  for (int64_t i = 0; i < index_rank; ++i) {
    if (std::ranges::find(dims.indices_batch, i) == dims.indices_batch.end()) {
      index_of.push_back(i);
    }
  }
  index_of.resize(builder.shape(product).dims.size(), -1);
  std::vector<int64_t> permutation;
  permutation.reserve(index_of.size());
  int64_t next_index = 0;
  int64_t next_offset = index_rank;
  for (size_t at = 0; at < index_of.size(); ++at) {
    const bool offset =
        std::ranges::find(dims.offset_dims, static_cast<int64_t>(at)) != dims.offset_dims.end();
    permutation.push_back(offset ? next_offset++
                                 : std::ranges::find(index_of, next_index++) - index_of.begin());
  }
  return builder.Transpose(product, std::move(permutation));
}

OpId GatherSlicesProduct(GraphBuilder& builder, const Op& op, std::span<const OpId> operands) {
  const GatherDims& dims = op.as<SlicesAttrs>();
  const Shape table = builder.shape(operands[0]);
  const auto start = static_cast<size_t>(dims.start_dims[0]);
  const OpId indices = PlainIndices(builder, operands[1], dims.index_dim);
  const int64_t rank = builder.shape(indices).rank();
  const OpId one_hot = OneHot(builder, indices, table.dims[start], table.dtype);
  DotDims dot;
  dot.lhs_batch = dims.indices_batch;
  dot.rhs_batch = dims.operand_batch;
  dot.lhs_contract = {rank};
  dot.rhs_contract = dims.start_dims;
  const OpId product = builder.Dot(one_hot, operands[0], dot, PassesFor(table.dtype));
  return InPlace(builder, product, dims, rank);
}

OpId GatherProduct(GraphBuilder& builder, std::span<const OpId> operands) {
  const Shape table = builder.shape(operands[0]);
  const OpId one_hot = OneHot(builder, operands[1], table.dims[0], table.dtype);
  DotDims dot;
  dot.lhs_contract = {builder.shape(operands[1]).rank()};
  dot.rhs_contract = {0};
  return builder.Dot(one_hot, operands[0], dot, PassesFor(table.dtype));
}

// Contracts all dims of the indices: rows that share an index are added.
OpId ScatterAddProduct(GraphBuilder& builder, const Op& op, std::span<const OpId> operands) {
  const DType dtype = builder.shape(operands[1]).dtype;
  const OpId one_hot = OneHot(builder, operands[0], op.shape.dims[0], dtype);
  DotDims dot;
  dot.lhs_contract.resize(builder.shape(operands[0]).dims.size());
  std::iota(dot.lhs_contract.begin(), dot.lhs_contract.end(), 0);
  dot.rhs_contract = dot.lhs_contract;
  return builder.Dot(one_hot, operands[1], dot, PassesFor(dtype));
}

}  // namespace

std::optional<int64_t> OneHotDepth(const Graph& graph, const Op& op) {
  if (!IsFloat(op.shape.dtype)) return std::nullopt;
  const auto of = [](const Dim& dim) -> std::optional<int64_t> {
    if (dim.per_batch) return std::nullopt;
    return dim.factor;
  };
  if (op.kind == OpKind::kScatterAdd) {
    return graph.operand(op, 0).shape.rank() == 0 ? std::nullopt : of(op.shape.dims[0]);
  }
  if (op.kind == OpKind::kGather) return of(graph.operand(op, 0).shape.dims[0]);
  if (op.kind != OpKind::kGatherSlices) return std::nullopt;
  const Shape& table = graph.operand(op, 0).shape;
  const GatherDims& dims = op.as<SlicesAttrs>();
  if (!TakesOneDim(dims, table)) return std::nullopt;
  return of(table.dims[static_cast<size_t>(dims.start_dims[0])]);
}

OpId OneHotProduct(GraphBuilder& builder, const Op& op, std::span<const OpId> operands) {
  if (op.kind == OpKind::kScatterAdd) {
    return ScatterAddProduct(builder, op, operands);
  }
  if (op.kind == OpKind::kGather) return GatherProduct(builder, operands);
  return GatherSlicesProduct(builder, op, operands);
}

}  // namespace tilewise
