// Batch dims of the dot are those that both operands have; an operand without
// them is multiplied as one big matrix, which is what the matrix unit prefers.

#include "library/matmul.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "library/broadcast.h"

namespace tilewise {
namespace {

constexpr Dim kUnitDim = {1, false};

std::vector<Dim> BatchDims(const Shape& shape) {
  return {shape.dims.begin(), shape.dims.end() - 2};
}

bool AllOnes(const std::vector<Dim>& dims) {
  return std::all_of(dims.begin(), dims.end(), [](const Dim& dim) { return dim == kUnitDim; });
}

// x without its batch dims, which are all 1.
OpId Matrix(GraphBuilder& builder, OpId x) {
  const std::vector<Dim> dims = builder.shape(x).dims;
  if (dims.size() == 2) return x;
  return builder.Reshape(x, {dims.end() - 2, dims.end()});
}

OpId WithBatch(GraphBuilder& builder, OpId x, const std::vector<Dim>& batch) {
  const std::vector<Dim> own = builder.shape(x).dims;
  std::vector<Dim> dims = batch;
  dims.insert(dims.end(), own.end() - 2, own.end());
  return builder.BroadcastTo(x, dims);
}

DotAttrs AttrsOf(const MatMulOptions& options) {
  DotAttrs attrs;
  attrs.wide = options.wide;
  attrs.precision_passes = options.precision_passes;
  return attrs;
}

// The operands have the same batch dims.
OpId Batched(GraphBuilder& builder, OpId x, OpId y, const MatMulOptions& options) {
  const int64_t rank = builder.shape(x).rank();
  DotAttrs attrs = AttrsOf(options);
  attrs.lhs_batch.resize(rank - 2);
  std::iota(attrs.lhs_batch.begin(), attrs.lhs_batch.end(), 0);
  attrs.rhs_batch = attrs.lhs_batch;
  attrs.lhs_contract = {options.transpose_x ? rank - 2 : rank - 1};
  attrs.rhs_contract = {options.transpose_y ? rank - 1 : rank - 2};
  return builder.DotAs(x, y, std::move(attrs));
}

// x has batch dims, y is a matrix.
OpId MatrixOnRight(GraphBuilder& builder, OpId x, OpId y, const MatMulOptions& options) {
  const int64_t rank = builder.shape(x).rank();
  DotAttrs attrs = AttrsOf(options);
  attrs.lhs_contract = {options.transpose_x ? rank - 2 : rank - 1};
  attrs.rhs_contract = {options.transpose_y ? 1 : 0};
  return builder.DotAs(x, y, std::move(attrs));
}

// x is a matrix, y has batch dims: [m, batch.., n] put right.
OpId MatrixOnLeft(GraphBuilder& builder, OpId x, OpId y, const MatMulOptions& options) {
  const int64_t rank = builder.shape(y).rank();
  DotAttrs attrs = AttrsOf(options);
  attrs.lhs_contract = {options.transpose_x ? 0 : 1};
  attrs.rhs_contract = {options.transpose_y ? rank - 1 : rank - 2};
  const OpId product = builder.DotAs(x, y, std::move(attrs));
  if (rank == 2) return product;
  std::vector<int64_t> order;
  for (int64_t dim = 1; dim < rank - 1; ++dim) order.push_back(dim);
  order.push_back(0);
  order.push_back(rank - 1);
  return builder.Transpose(product, std::move(order));
}

OpId Multiplied(GraphBuilder& builder, OpId x, OpId y, const MatMulOptions& options) {
  const std::vector<Dim> left = BatchDims(builder.shape(x));
  const std::vector<Dim> right = BatchDims(builder.shape(y));
  if (AllOnes(right) && left.size() >= right.size()) {
    return MatrixOnRight(builder, x, Matrix(builder, y), options);
  }
  if (AllOnes(left) && right.size() >= left.size()) {
    return MatrixOnLeft(builder, Matrix(builder, x), y, options);
  }
  const Shape both[] = {{DType::kF32, left}, {DType::kF32, right}};
  const auto batch = CommonDims(both);
  if (!batch) {
    builder.Fail(fmt::format("matrix product: found {} and {}, expected batch dims that broadcast",
                             FormatShape(builder.shape(x)), FormatShape(builder.shape(y))));
    return kNoOp;
  }
  return Batched(builder, WithBatch(builder, x, *batch), WithBatch(builder, y, *batch), options);
}

}  // namespace

OpId NumpyMatMul(GraphBuilder& builder, OpId x, OpId y, const MatMulOptions& options) {
  const DType type = CommonType(builder.shape(x).dtype, builder.shape(y).dtype);
  x = builder.Convert(x, type);
  y = builder.Convert(y, type);
  const bool row = builder.shape(x).rank() == 1;
  const bool column = builder.shape(y).rank() == 1;
  if (row) x = Unsqueezed(builder, x, {0});
  if (column) y = Unsqueezed(builder, y, {1});
  if (!builder.ok()) return kNoOp;
  if (builder.shape(x).rank() < 2 || builder.shape(y).rank() < 2) {
    builder.Fail(fmt::format("matrix product: found {} and {}, expected rank 1 or more",
                             FormatShape(builder.shape(x)), FormatShape(builder.shape(y))));
    return kNoOp;
  }
  MatMulOptions used = options;
  if (row) used.transpose_x = false;
  if (column) used.transpose_y = false;
  OpId product = Multiplied(builder, x, y, used);
  if (column) product = Squeezed(builder, product, {-1});
  if (row) product = Squeezed(builder, product, {column ? -1 : -2});
  return product;
}

OpId TensorDot(GraphBuilder& builder, OpId x, OpId y, const std::vector<int64_t>& x_dims,
               const std::vector<int64_t>& y_dims) {
  const DType type = CommonType(builder.shape(x).dtype, builder.shape(y).dtype);
  DotDims dims;
  for (const int64_t dim : x_dims) {
    dims.lhs_contract.push_back(DimOf(builder, dim, builder.shape(x).rank()));
  }
  for (const int64_t dim : y_dims) {
    dims.rhs_contract.push_back(DimOf(builder, dim, builder.shape(y).rank()));
  }
  return builder.Dot(builder.Convert(x, type), builder.Convert(y, type), std::move(dims));
}

}  // namespace tilewise
