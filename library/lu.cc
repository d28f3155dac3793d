// LU by columns of a block. The compiler's own expansion of LuDecomposition is
// not published; this is the blocked one that JAX writes out where there is
// none.
// Source: _lu_blocked and _lu_unblocked of jax/_src/lax/linalg.py.

#include <algorithm>
#include <limits>

#include "library/broadcast.h"
#include "library/factorization.h"
#include "library/factorization_block.h"
#include "library/gather.h"
#include "library/rearrange.h"

namespace tilewise {

// Each iteration exchanges two rows and takes the pivot's multiples off those
// below; rows that differ from matrix to matrix are picked by masks.
Factorization::Triangles Factorization::LuOfBlock(OpId a) {
  const Shape shape = b_.shape(a);
  if (!b_.ok()) return {};
  const int64_t row = Rank(a) - 2, column = Rank(a) - 1;
  const int64_t trips = std::min(Rows(a), Columns(a));
  Shape of_rows(DType::kS32, {shape.dims.begin(), shape.dims.end() - 1});
  Shape of_pivots = of_rows;
  of_pivots.dims.back() = {trips, false};
  const auto iteration = [&](const Values& carried, OpId number) -> Values {
    const OpId old = carried[0], pivots = carried[1], order = carried[2];
    const OpId x = b_.DynamicSlice(old, {number}, {column}, {1});
    const OpId size = b_.Select(Places(x, row, Comparison::kGe, number), b_.Unary(OpKind::kAbs, x),
                                FilledLike(b_, x, -1));
    const OpId pivot = b_.ArgReduce(Reducer::kMax, size, row);  // [.., 1]
    const OpId chosen = b_.BroadcastTo(pivot, of_rows.dims);
    const OpId is_first = Places(chosen, row, Comparison::kEq, number);
    const OpId is_chosen = b_.Compare(Comparison::kEq, b_.Iota(of_rows, row), chosen);
    const auto exchanged = [&](OpId v, OpId first, OpId picked, OpId on_first, OpId on_picked) {
      return b_.Select(on_first, picked, b_.Select(on_picked, first, v));
    };
    // Rows of the matrix.
    const OpId picks = Stretched(is_chosen, old, column);
    const OpId picked_row =
        b_.Reduce(Reducer::kSum, b_.Select(picks, old, FilledLike(b_, old, 0)), {row});
    const OpId first_row = b_.DynamicSlice(old, {number}, {row}, {1});
    const OpId picked = Stretched(picked_row, old, row);
    const OpId swapped = exchanged(old, b_.BroadcastTo(first_row, shape.dims), picked,
                                   Stretched(is_first, old, column), picks);
    // The multiples, kept in the pivot's column.
    const OpId divisor =
        b_.BroadcastTo(b_.DynamicSlice(Unsqueezed(b_, picked_row, {row}), {number}, {column}, {1}),
                       b_.shape(x).dims);
    const OpId under = b_.DynamicSlice(swapped, {number}, {column}, {1});
    const OpId multiples = b_.Select(Places(x, row, Comparison::kGt, number),
                                     Quotient(under, divisor), FilledLike(b_, x, 0));
    const OpId wide = b_.BroadcastTo(multiples, shape.dims);
    const OpId later =
        b_.Select(Places(old, column, Comparison::kGt, number), picked, FilledLike(b_, old, 0));
    const OpId reduced = Difference(swapped, b_.Binary(OpKind::kMultiply, wide, later));
    const OpId is_multiple = b_.Binary(OpKind::kAnd, Places(old, column, Comparison::kEq, number),
                                       Places(old, row, Comparison::kGt, number));
    // Rows by number.
    const OpId first_number =
        b_.BroadcastTo(b_.DynamicSlice(order, {number}, {row}, {1}), of_rows.dims);
    const OpId picked_number = b_.BroadcastTo(
        Unsqueezed(
            b_,
            b_.Reduce(Reducer::kSum, b_.Select(is_chosen, order, FilledLike(b_, order, 0)), {row}),
            {-1}),
        of_rows.dims);
    const OpId is_pivot = Places(pivots, row, Comparison::kEq, number);
    return {b_.Select(is_multiple, wide, reduced),
            b_.Select(is_pivot, b_.BroadcastTo(pivot, of_pivots.dims), pivots),
            exchanged(order, first_number, picked_number, is_first, is_chosen)};
  };
  const Values made = Loop(trips, {a, b_.Constant(0, of_pivots), b_.Iota(of_rows, row)}, iteration);
  return {made[0], made[1], made[2]};
}

Factorization::Triangles Factorization::Lu(OpId a) {
  if (!TakesMatrix(a)) return {};
  const int64_t rows = Rows(a), columns = Columns(a), row = Rank(a) - 2;
  const int64_t count = std::min(rows, columns);
  const Shape of_rows(DType::kS32, {b_.shape(a).dims.begin(), b_.shape(a).dims.end() - 1});
  OpId order = b_.Iota(of_rows, row);
  Values pivots;
  for (int64_t at = 0; at < count && b_.ok(); at += kFactorBlock) {
    const int64_t size = std::min(kFactorBlock, count - at);
    const int64_t right = columns - at - size, below = rows - at - size;
    const Triangles block = LuOfBlock(Part(a, at, rows - at, at, size));
    if (size == columns) return block;  // the only one
    pivots.push_back(WithScalar(b_, OpKind::kAdd, block.pivots, static_cast<double>(at)));
    const auto moved = [&](OpId x) {
      const OpId part = at == 0 ? x : b_.SliceDim(x, row, at, rows);
      const OpId taken = TakeAlong(b_, part, block.permutation, row, row);
      if (at == 0) return taken;
      const OpId start = b_.Scalar(static_cast<double>(at), DType::kS32);
      return b_.DynamicUpdateSlice(x, taken, {start}, {row});
    };
    a = moved(a);
    order = moved(order);
    a = Updated(a, block.a, at, at);
    if (right == 0) break;
    const OpId left = Part(block.a, 0, size, 0, size);
    const OpId unit = Sum(Triangle(b_, left, true, -1), Identity(left));
    const OpId upper =
        TriangularSolve(unit, Part(a, at, size, at + size, right), true, true, false);
    a = Updated(a, upper, at, at + size);
    if (below == 0) break;
    const OpId change = Product(Part(block.a, size, below, 0, size), upper);
    const OpId rest = Part(a, at + size, below, at + size, right);
    a = Updated(a, Difference(rest, change), at + size, at + size);
  }
  if (!b_.ok()) return {};
  const int64_t last = Rank(pivots[0]) - 1;
  return {a, pivots.size() == 1 ? pivots[0] : b_.Concatenate(pivots, last), order};
}

}  // namespace tilewise
