// Eigenvalues of symmetric matrices by Jacobi's rotations, half as many at a
// time as the matrix has rows.
// Source: xla/hlo/transforms/expanders/eigh_expander.cc, which follows Brent
// and Luk, "The Solution of Singular-Value and Symmetric Eigenvalue Problems on
// Multiprocessor Arrays", 1985.

#include <array>

#include "base/math.h"
#include "library/broadcast.h"
#include "library/elementary.h"
#include "library/factorization.h"
#include "library/factorization_block.h"
#include "library/rearrange.h"

namespace tilewise {
namespace {

// Top left, top right, bottom left, bottom right.
using Quadrants = std::array<OpId, 4>;

// One iteration's work on the quadrants, which are [.., k, k].
class Rotation {
 public:
  Rotation(GraphBuilder& builder, const Shape& quadrant)
      : b_(builder), shape_(quadrant), row_(quadrant.rank() - 2) {}

  // Rotations that make the off-diagonal elements of all pairs 0.
  void Find(OpId a, OpId b, OpId c) {
    const OpId zero = FilledLike(b_, a, 0), one = FilledLike(b_, a, 1);
    const OpId twice = b_.Binary(OpKind::kAdd, b, b);
    const OpId tau = b_.Binary(OpKind::kDivide, b_.Binary(OpKind::kSubtract, c, a), twice);
    const OpId root = b_.Unary(OpKind::kSqrt, Sum(one, Square(b_, tau)));
    const OpId size = Sum(b_.Unary(OpKind::kAbs, tau), root);
    const OpId small = b_.Binary(OpKind::kDivide, b_.Unary(OpKind::kSign, tau), size);
    const OpId is_zero = b_.Compare(Comparison::kEq, b, zero);
    const OpId tangent = b_.Select(is_zero, zero, small);
    const OpId cosine = b_.Unary(OpKind::kRsqrt, Sum(one, Square(b_, tangent)));
    const OpId step = b_.Binary(OpKind::kMultiply, tangent, b);
    first_ = b_.Binary(OpKind::kSubtract, a, step);
    second_ = Sum(c, step);
    cosine_ = cosine;
    sine_ = b_.Binary(OpKind::kMultiply, tangent, cosine);
  }

  // The elements that become known are written over the diagonals.
  void Settle(Quadrants& w, OpId eye) {
    const OpId zero = FilledLike(b_, w[1], 0);
    const auto along = [&](OpId v) { return Spread(v, row_); };
    w[0] = b_.Select(eye, along(first_), w[0]);
    w[1] = b_.Select(eye, zero, w[1]);
    w[2] = b_.Select(eye, zero, w[2]);
    w[3] = b_.Select(eye, along(second_), w[3]);
  }

  void Rows(Quadrants& w) { Turn(w, {0, 2}, {1, 3}, row_ + 1); }
  void Columns(Quadrants& w) { Turn(w, {0, 1}, {2, 3}, row_); }

  // Every row meets every other one once in a sweep.
  void PermuteRows(Quadrants& w) {
    Permute(w[0], w[2], row_);
    Permute(w[1], w[3], row_);
  }
  void PermuteColumns(Quadrants& w) {
    Permute(w[0], w[1], row_ + 1);
    Permute(w[2], w[3], row_ + 1);
  }

 private:
  using Pair = std::array<size_t, 2>;

  OpId Sum(OpId x, OpId y) { return b_.Binary(OpKind::kAdd, x, y); }

  // v [.., k] along the dim of a quadrant that is not `dim`.
  OpId Spread(OpId v, int64_t dim) { return b_.BroadcastTo(Unsqueezed(b_, v, {dim}), shape_.dims); }

  void Turn(Quadrants& w, Pair one, Pair other, int64_t dim) {
    const OpId c = Spread(cosine_, dim), s = Spread(sine_, dim);
    for (const Pair& pair : {one, other}) {
      const OpId x = w[pair[0]], y = w[pair[1]];
      w[pair[0]] = b_.Binary(OpKind::kSubtract, b_.Binary(OpKind::kMultiply, x, c),
                             b_.Binary(OpKind::kMultiply, y, s));
      w[pair[1]] = Sum(b_.Binary(OpKind::kMultiply, x, s), b_.Binary(OpKind::kMultiply, y, c));
    }
  }

  void Permute(OpId& x, OpId& y, int64_t dim) {
    const int64_t k = shape_.size(dim);
    if (k < 2 || !b_.ok()) return;
    const auto part = [&](OpId v, int64_t from, int64_t to) {
      return b_.SliceDim(v, dim, from, to);
    };
    std::vector<OpId> upper = {part(x, 0, 1), part(y, 0, 1)};
    if (k > 2) upper.push_back(part(x, 1, k - 1));
    const OpId lower = b_.Concatenate({part(y, 1, k), part(x, k - 1, k)}, dim);
    x = b_.Concatenate(upper, dim);
    y = lower;
  }

  GraphBuilder& b_;
  Shape shape_;
  int64_t row_;
  OpId cosine_ = kNoOp, sine_ = kNoOp, first_ = kNoOp, second_ = kNoOp;
};

}  // namespace

OpId Factorization::DiagonalOf(OpId a) {
  const OpId only = b_.Binary(OpKind::kMultiply, a, Identity(a));
  return b_.Reduce(Reducer::kSum, only, {Rank(a) - 2});
}

Factorization::Eigen Factorization::Eigh(OpId a) {
  if (!TakesSquare(a)) return {};
  const int64_t n = Rows(a), row = Rank(a) - 2, column = Rank(a) - 1;
  if (n == 1) return {FilledLike(b_, a, 1), DiagonalOf(a)};
  const int64_t half = CeilDiv(n, int64_t{2}), size = 2 * half;
  OpId whole = a;
  if (size != n) {
    std::vector<int64_t> none(b_.shape(a).dims.size(), 0), high = none;
    high[none.size() - 2] = high.back() = 1;
    whole = b_.Pad(a, 0, none, std::move(high), none);
  }
  const auto quadrant = [&](int64_t i, int64_t j) {
    return Part(whole, i * half, half, j * half, half);
  };
  Values start = {quadrant(0, 0), quadrant(0, 1), quadrant(1, 0), quadrant(1, 1)};
  const Shape shape = b_.shape(start[0]);
  const OpId one = Identity(start[0]), zero = FilledLike(b_, start[0], 0);
  start.insert(start.end(), {one, zero, zero, one});
  const auto iteration = [&](const Values& carried, OpId) -> Values {
    Quadrants w = {carried[0], carried[1], carried[2], carried[3]};
    Quadrants v = {carried[4], carried[5], carried[6], carried[7]};
    Rotation rotation(b_, shape);
    rotation.Find(DiagonalOf(w[0]), DiagonalOf(w[1]), DiagonalOf(w[3]));
    rotation.Rows(w);
    rotation.Columns(w);
    rotation.Settle(w, AsPred(b_, one));
    rotation.PermuteColumns(w);
    rotation.PermuteRows(w);
    rotation.Rows(v);
    rotation.PermuteRows(v);
    return {w[0], w[1], w[2], w[3], v[0], v[1], v[2], v[3]};
  };
  const Values made = Loop(Sweeps(n) * (size - 1), start, iteration);
  if (!b_.ok()) return {};
  const auto joined = [&](size_t at) {
    const OpId upper = b_.Concatenate({made[at], made[at + 1]}, column);
    const OpId lower = b_.Concatenate({made[at + 2], made[at + 3]}, column);
    return Part(b_.Concatenate({upper, lower}, row), 0, n, 0, n);
  };
  const OpId keys = Stretched(DiagonalOf(joined(0)), a, row);
  const std::vector<OpId> both = {keys, Turned(joined(4))};
  return {b_.Sort(both, column, false, 1), DiagonalOf(b_.Sort(both, column, false, 0))};
}

}  // namespace tilewise
