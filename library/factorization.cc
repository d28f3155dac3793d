// Cholesky and triangular solves.
// Sources:
// xla/hlo/transforms/expanders/{cholesky,triangular_solve}_expander.cc.

#include "library/factorization.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/math.h"
#include "library/factorization_block.h"
#include "library/matmul.h"
#include "library/rearrange.h"
#include "library/trip_count.h"

namespace tilewise {

bool Factorization::Takes(const Shape& shape) {
  if (shape.rank() < 2 || !IsFloat(shape.dtype)) return false;
  const Dim rows = shape.dims[shape.dims.size() - 2];
  const Dim columns = shape.dims.back();
  return !rows.per_batch && !columns.per_batch &&
         std::max(rows.factor, columns.factor) <= kFactorBlock * kMostFactorBlocks;
}

bool Factorization::TakesMatrix(OpId a) {
  if (!b_.ok()) return false;
  if (Takes(b_.shape(a))) return true;
  b_.Fail(
      fmt::format("found {}, expected matrices of real numbers of at most {} rows and "
                  "columns",
                  FormatShape(b_.shape(a)), kFactorBlock * kMostFactorBlocks));
  return false;
}

bool Factorization::TakesSquare(OpId a) {
  if (!TakesMatrix(a)) return false;
  if (Rows(a) == Columns(a)) return true;
  b_.Fail(fmt::format("found {}, expected square matrices", FormatShape(b_.shape(a))));
  return false;
}

OpId Factorization::Part(OpId a, int64_t row, int64_t rows, int64_t column, int64_t columns) {
  if (!b_.ok()) return kNoOp;
  const int64_t rank = Rank(a);
  if (rows != Rows(a)) a = b_.SliceDim(a, rank - 2, row, row + rows);
  if (columns != Columns(a)) {
    a = b_.SliceDim(a, rank - 1, column, column + columns);
  }
  return a;
}

OpId Factorization::Updated(OpId a, OpId part, int64_t row, int64_t column) {
  if (!b_.ok() || b_.shape(a) == b_.shape(part)) return part;
  return b_.DynamicUpdateSlice(a, part,
                               {b_.Scalar(static_cast<double>(row), DType::kS32),
                                b_.Scalar(static_cast<double>(column), DType::kS32)},
                               {Rank(a) - 2, Rank(a) - 1});
}

OpId Factorization::Product(OpId x, OpId y, bool transpose_x, bool transpose_y) {
  MatMulOptions options;
  options.transpose_x = transpose_x;
  options.transpose_y = transpose_y;
  options.precision_passes = kFactorPasses;
  return NumpyMatMul(b_, x, y, options);
}

OpId Factorization::Identity(OpId like) {
  const Shape shape = b_.shape(like);
  if (!b_.ok()) return kNoOp;
  return b_.BroadcastTo(Eye(b_, Rows(like), Columns(like), 0, shape.dtype), shape.dims);
}

OpId Factorization::Turned(OpId a) {
  std::vector<int64_t> order(b_.shape(a).dims.size());
  std::iota(order.begin(), order.end(), 0);
  if (!b_.ok()) return kNoOp;
  std::swap(order[order.size() - 2], order.back());
  return b_.Transpose(a, std::move(order));
}

OpId Factorization::Stretched(OpId v, OpId a, int64_t dim) {
  std::vector<int64_t> mapping(b_.shape(a).dims.size());
  std::iota(mapping.begin(), mapping.end(), 0);
  if (!b_.ok()) return kNoOp;
  mapping.erase(mapping.begin() + static_cast<ptrdiff_t>(dim));
  return b_.Broadcast(v, b_.shape(a).dims, std::move(mapping));
}

OpId Factorization::Places(OpId a, int64_t dim, Comparison comparison, OpId number) {
  const Shape shape = b_.shape(a).WithType(DType::kS32);
  const OpId places = b_.Iota(shape, dim);
  return b_.Compare(comparison, places, b_.Broadcast(number, shape.dims, {}));
}

Factorization::Values Factorization::Loop(int64_t trips, const Values& carried,
                                          const std::function<Values(const Values&, OpId)>& body) {
  if (trips < 1 || !b_.ok()) return carried;
  const OpId zero = b_.Scalar(0, DType::kS32);
  b_.SetLoop(LoopWithin(outer_, new_loop_(), trips));
  const OpId number = b_.Barrier(zero, {});
  Values entering;
  for (const OpId value : carried) entering.push_back(b_.Barrier(value, {}));
  Values results = body(entering, number);
  b_.SetLoop(outer_);
  return results;
}

// Each iteration multiplies the whole block, as that is faster than cutting it.
OpId Factorization::CholeskyOfBlock(OpId a) {
  if (!b_.ok() || Rows(a) == 1) return b_.Unary(OpKind::kSqrt, a);
  const Shape shape = b_.shape(a);
  const int64_t row = Rank(a) - 2, column = Rank(a) - 1;
  const OpId zeros = b_.Constant(0, shape);
  const auto iteration = [&](const Values& carried, OpId number) -> Values {
    const OpId l = carried[0];
    const OpId rest = Difference(a, Product(l, l, false, true));
    const OpId pivot =
        b_.Unary(OpKind::kSqrt, b_.DynamicSlice(rest, {number, number}, {row, column}, {1, 1}));
    const OpId scaled = Triangle(b_, Quotient(rest, b_.BroadcastTo(pivot, shape.dims)), true, 0);
    const OpId is_column = Places(a, column, Comparison::kEq, number);
    return {Sum(b_.Select(is_column, scaled, zeros), l)};
  };
  return Loop(Rows(a), {zeros}, iteration)[0];
}

// Left-looking: a block's columns less what the columns before it make of them.
OpId Factorization::Cholesky(OpId a, bool lower) {
  if (!TakesSquare(a)) return kNoOp;
  if (!lower) return Turned(Cholesky(Turned(a), true));
  const int64_t n = Rows(a);
  OpId l = n > kFactorBlock ? b_.Constant(0, b_.shape(a)) : a;
  for (int64_t at = 0; at < n && b_.ok(); at += kFactorBlock) {
    const int64_t size = std::min(kFactorBlock, n - at);
    const int64_t below = n - at - size;
    OpId panel = Part(a, at, n - at, at, size);
    if (at > 0) {
      const OpId left = Part(l, at, n - at, 0, at);
      panel = Difference(panel, Product(left, Part(l, at, size, 0, at), false, true));
    }
    const OpId factor = CholeskyOfBlock(Part(panel, 0, size, 0, size));
    l = Updated(l, factor, at, at);
    if (below == 0) break;
    const OpId solved =
        TriangularSolve(factor, Part(panel, size, below, 0, size), false, true, true);
    l = Updated(l, solved, at + size, at);
  }
  return l;
}

OpId Factorization::DiagonalBlocks(OpId a) {
  const int64_t n = Rows(a), rank = Rank(a);
  const int64_t size = std::min(n, kFactorBlock);
  Values blocks;
  for (int64_t at = 0; at < n && b_.ok(); at += size) {
    const int64_t rest = std::min(size, n - at);
    OpId block = Part(a, at, rest, at, rest);
    if (rest < size) {
      std::vector<int64_t> none(rank, 0), high = none;
      high[none.size() - 2] = high.back() = size - rest;
      block = b_.Pad(block, 0, none, std::move(high), none);
    }
    blocks.push_back(block);
  }
  return b_.ok() ? Stack(b_, blocks, rank - 2) : kNoOp;
}

// Row by row, by those above (below) it; all blocks at once.
OpId Factorization::InverseOfTriangles(OpId a, bool lower) {
  if (!b_.ok()) return kNoOp;
  const int64_t row = Rank(a) - 2, column = Rank(a) - 1;
  const OpId triangle = Triangle(b_, a, lower, 0);
  const OpId identity = Identity(a);
  const OpId diagonal =
      b_.Reduce(Reducer::kSum, b_.Binary(OpKind::kMultiply, triangle, identity), {column});
  const OpId scaled = Quotient(triangle, Stretched(diagonal, a, row));
  const auto iteration = [&](const Values& carried, OpId number) -> Values {
    const OpId from = b_.DynamicSlice(scaled, {number}, {row}, {1});
    const OpId made = b_.Unary(OpKind::kNegate, Product(from, carried[0]));
    return {b_.DynamicUpdateSlice(carried[0], made, {number}, {row})};
  };
  const OpId inverse = Loop(Rows(a) - 1, {b_.Unary(OpKind::kNegate, identity)}, iteration)[0];
  return Quotient(inverse, Stretched(diagonal, a, column));
}

OpId Factorization::TriangularSolve(OpId a, OpId b, bool left, bool lower, bool transpose_a) {
  if (!TakesSquare(a) || !TakesMatrix(b)) return kNoOp;
  const int64_t n = Rows(a), rank = Rank(a);
  const int64_t right_sides = left ? Columns(b) : Rows(b);
  if (Rank(b) != rank || (left ? Rows(b) : Columns(b)) != n) {
    b_.Fail(fmt::format("found {} and {}, which do not fit together", FormatShape(b_.shape(a)),
                        FormatShape(b_.shape(b))));
    return kNoOp;
  }
  if (n == 1) return Quotient(b, b_.BroadcastTo(a, b_.shape(b).dims));
  const OpId inverses = InverseOfTriangles(DiagonalBlocks(a), lower);
  const int64_t blocks = CeilDiv(n, kFactorBlock);
  const bool backwards = (left != lower) != transpose_a;
  OpId x = kNoOp;
  for (int64_t i = 0; i < blocks && b_.ok(); ++i) {
    const int64_t j = backwards ? blocks - 1 - i : i;
    const int64_t at = j * kFactorBlock, size = std::min(kFactorBlock, n - at);
    OpId rest = left ? Part(b, at, size, 0, right_sides) : Part(b, 0, right_sides, at, size);
    if (x != kNoOp) {
      const int64_t first = backwards ? at + size : 0;
      const int64_t done = backwards ? n - first : at;
      const OpId known =
          left != transpose_a ? Part(a, at, size, first, done) : Part(a, first, done, at, size);
      rest = Difference(rest, left ? Product(known, x, transpose_a, false)
                                   : Product(x, known, false, transpose_a));
    }
    OpId inverse = inverses;
    if (blocks > 1) inverse = b_.SliceDim(inverses, rank - 2, j, j + 1);
    std::vector<Dim> dims = b_.shape(a).dims;
    dims[dims.size() - 2] = dims.back() = {std::min(n, kFactorBlock), false};
    inverse = Part(b_.Reshape(inverse, std::move(dims)), 0, size, 0, size);
    const OpId made = left ? Product(inverse, rest, transpose_a, false)
                           : Product(rest, inverse, false, transpose_a);
    const OpId before = backwards ? made : x;
    const OpId after = backwards ? x : made;
    x = x == kNoOp ? made : b_.Concatenate({before, after}, left ? rank - 2 : rank - 1);
  }
  return x;
}

}  // namespace tilewise
