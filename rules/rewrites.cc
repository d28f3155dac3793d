// Row i of [n, d] is part i % k of row i / k of [n / k, k * d]. The other parts
// are set to zero, and a matmul with k identities below each other brings the
// one that is left to the front: a reshape would tear rows of lanes apart. A row
// of the one-hot matrix has a 1 where the index points; matmuls with it are
// exact in as many passes as the operand's type needs.

#include "rules/rewrites.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/math.h"

namespace tilewise {
namespace {

bool IsPackable(const Graph& graph, const Op& table, int64_t lanes) {
  if (table.kind != OpKind::kVariable || table.shape.rank() != 2) return false;
  if (!IsFloat(table.shape.dtype) || lanes % table.shape.size(1) != 0) {
    return false;
  }
  return std::ranges::all_of(graph.users(table.id), [&](OpId id) {
    const Op& user = graph.op(id);
    return user.kind == OpKind::kGather && user.operands[0] == table.id;
  });
}

// One where dim 0 of [lanes, size] and dim 1 are the same index in a part.
OpId StackedIdentities(GraphBuilder& builder, int64_t lanes, int64_t size, DType dtype) {
  const Shape shape = Shape::Of(DType::kS32, {lanes, size});
  const OpId index =
      builder.BinaryScalar(OpKind::kRemainder, builder.Iota(shape, 0), static_cast<double>(size));
  const OpId equal = builder.Compare(Comparison::kEq, index, builder.Iota(shape, 1));
  return builder.Convert(equal, dtype);
}

// `rows` of packed parts with zeros but in part `part` of each.
OpId OnlyPart(GraphBuilder& builder, OpId rows, OpId part, int64_t size) {
  const Shape shape = builder.shape(rows);
  const int64_t last = shape.rank() - 1;
  std::vector<int64_t> mapping;
  for (int64_t dim = 0; dim < last; ++dim) mapping.push_back(dim);
  const DType index = builder.shape(part).dtype;
  const OpId lane = builder.BinaryScalar(OpKind::kDivide, builder.Iota(shape.WithType(index), last),
                                         static_cast<double>(size));
  const OpId wanted = builder.Broadcast(part, shape.dims, std::move(mapping));
  return builder.Select(builder.Compare(Comparison::kEq, lane, wanted), rows,
                        builder.Constant(0, shape));
}

OpId PackedLookup(GraphBuilder& builder, const Op& gather, std::span<const OpId> operands) {
  const Shape table = builder.shape(operands[0]);
  const int64_t lanes = table.size(1);
  const int64_t size = gather.shape.dims.back().factor;
  const int64_t whole_rows = lanes / size;
  const auto parts = static_cast<double>(whole_rows);
  const OpId ids = operands[1];
  const OpId rows = builder.Gather(operands[0], builder.BinaryScalar(OpKind::kDivide, ids, parts));
  const OpId part = builder.BinaryScalar(OpKind::kRemainder, ids, parts);
  return builder.MatMul(OnlyPart(builder, rows, part, size),
                        StackedIdentities(builder, lanes, size, table.dtype));
}

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

// Moves the dims of the matmul to where the gather has them: slices at
// offset_dims, index dims elsewhere.
OpId InPlace(GraphBuilder& builder, OpId matmul, const GatherDims& dims, int64_t index_rank) {
  // This is, for each dim of the matmul, the index dim that it is; -1: it is of the slice.
  std::vector<int64_t> index_of = dims.indices_batch;
  for (int64_t i = 0; i < index_rank; ++i) {
    if (std::ranges::find(dims.indices_batch, i) == dims.indices_batch.end()) {
      index_of.push_back(i);
    }
  }
  index_of.resize(builder.shape(matmul).dims.size(), -1);
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
  return builder.Transpose(matmul, std::move(permutation));
}

OpId GatherSlicesMatmul(GraphBuilder& builder, const Op& op, std::span<const OpId> operands) {
  const GatherDims& dims = op.as<SlicesAttrs>();
  const Shape table = builder.shape(operands[0]);
  const size_t start = dims.start_dims[0];
  const OpId indices = PlainIndices(builder, operands[1], dims.index_dim);
  const int64_t rank = builder.shape(indices).rank();
  const OpId one_hot = OneHot(builder, indices, table.dims[start], table.dtype);
  DotDims dot;
  dot.lhs_batch = dims.indices_batch;
  dot.rhs_batch = dims.operand_batch;
  dot.lhs_contract = {rank};
  dot.rhs_contract = dims.start_dims;
  const OpId matmul = builder.Dot(one_hot, operands[0], dot, PassesFor(table.dtype));
  return InPlace(builder, matmul, dims, rank);
}

OpId GatherMatmul(GraphBuilder& builder, std::span<const OpId> operands) {
  const Shape table = builder.shape(operands[0]);
  const OpId one_hot = OneHot(builder, operands[1], table.dims[0], table.dtype);
  DotDims dot;
  dot.lhs_contract = {builder.shape(operands[1]).rank()};
  dot.rhs_contract = {0};
  return builder.Dot(one_hot, operands[0], dot, PassesFor(table.dtype));
}

// Contracts all dims of the indices: rows that share an index are added.
OpId ScatterAddMatmul(GraphBuilder& builder, const Op& op, std::span<const OpId> operands) {
  const DType dtype = builder.shape(operands[1]).dtype;
  const OpId one_hot = OneHot(builder, operands[0], op.shape.dims[0], dtype);
  DotDims dot;
  dot.lhs_contract.resize(builder.shape(operands[0]).dims.size());
  std::iota(dot.lhs_contract.begin(), dot.lhs_contract.end(), 0);
  dot.rhs_contract = dot.lhs_contract;
  return builder.Dot(one_hot, operands[1], dot, PassesFor(dtype));
}

bool Reads(const Graph& graph, const Op& op, DType type) {
  return std::ranges::any_of(op.operands,
                             [&](OpId id) { return graph.op(id).shape.dtype == type; });
}

// A variable that is written, or what it is written with.
bool IsState(const Graph& graph, OpId id) {
  return std::ranges::any_of(graph.outputs(), [id](const Output& output) {
    return output.role == Output::Role::kState && (output.value == id || output.variable == id);
  });
}

OpId MakeInType(GraphBuilder& builder, const Op& op, std::span<const OpId> operands, DType from,
                DType to) {
  std::vector<OpId> converted;
  converted.reserve(operands.size());
  for (const OpId x : operands) {
    const bool is_old = builder.shape(x).dtype == from;
    converted.push_back(is_old ? builder.Convert(x, to) : x);
  }
  Op same = op;
  if (op.shape.dtype == from) same.shape.dtype = to;
  if (op.kind == OpKind::kConvert) {
    return builder.Convert(converted[0], same.shape.dtype);
  }
  const bool is_leaf = converted.empty();
  return builder.Clone(same, std::move(converted), !is_leaf);
}

}  // namespace

Change PackedRows(const Graph& graph, OpId table, int64_t lanes) {
  Change change;
  if (!IsPackable(graph, graph.op(table), lanes)) return change;
  change.replace[table] = [lanes](GraphBuilder& builder, const Op& op, std::span<const OpId>) {
    const int64_t rows = CeilDiv(op.shape.elements(), lanes);
    return builder.Variable(Shape::Of(op.shape.dtype, {rows, lanes}), op.name,
                            op.as<VariableAttrs>().trainable);
  };
  for (const OpId lookup : graph.users(table)) {
    change.replace[lookup] = PackedLookup;
  }
  return change;
}

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
  return of(table.dims[dims.start_dims[0]]);
}

OpId OneHotMatmul(GraphBuilder& builder, const Op& op, std::span<const OpId> operands) {
  if (op.kind == OpKind::kScatterAdd) {
    return ScatterAddMatmul(builder, op, operands);
  }
  if (op.kind == OpKind::kGather) return GatherMatmul(builder, operands);
  return GatherSlicesMatmul(builder, op, operands);
}

Change InOtherType(const Graph& graph, DType from, DType to) {
  Change change;
  for (const Op& op : graph.ops()) {
    const bool has = op.shape.dtype == from;
    if (!has && !Reads(graph, op, from)) continue;
    if (op.kind == OpKind::kBitcastConvert) return {};
    const bool is_state = has && IsState(graph, op.id);
    // What a variable is written with is as wide as the variable.
    if (is_state && op.operands.empty()) continue;
    change.replace[op.id] = [from, to, is_state](GraphBuilder& builder, const Op& old,
                                                 std::span<const OpId> operands) {
      const OpId made = MakeInType(builder, old, operands, from, to);
      return is_state ? builder.Convert(made, from) : made;
    };
  }
  return change;
}

}  // namespace tilewise
