// Singular values: reflections of columns and rows in turn until two diagonals
// are left, then rotations of every pair of rows, one after the other.
// Source: xla/hlo/builder/lib/svd.cc, which TensorFlow's Svd becomes.

#include <algorithm>

#include "library/broadcast.h"
#include "library/elementary.h"
#include "library/factorization.h"
#include "library/factorization_block.h"

namespace tilewise {
namespace {

// Parts of matrices at indices that are data, and a rotation of two of them.
class Pairs {
 public:
  explicit Pairs(GraphBuilder& builder) : b_(builder) {}

  // Rows (dim: that before the last) or columns p and q of x.
  OpId Rotated(OpId x, int64_t dim, OpId p, OpId q, OpId c, OpId s) {
    const OpId one = b_.DynamicSlice(x, {p}, {dim}, {1});
    const OpId other = b_.DynamicSlice(x, {q}, {dim}, {1});
    const OpId first = b_.Binary(OpKind::kSubtract, Times(one, c), Times(other, s));
    const OpId second = b_.Binary(OpKind::kAdd, Times(one, s), Times(other, c));
    return b_.DynamicUpdateSlice(b_.DynamicUpdateSlice(x, first, {p}, {dim}), second, {q}, {dim});
  }

  OpId Element(OpId x, OpId p, OpId q) {
    const int64_t column = b_.shape(x).rank() - 1;
    return b_.DynamicSlice(x, {p, q}, {column - 1, column}, {1, 1});
  }

  struct Turn {
    OpId c = kNoOp;
    OpId s = kNoOp;
  };
  // Returns the rotation of [a, b; b, c] to a diagonal.
  Turn Diagonalizing(OpId a, OpId b, OpId c) {
    const OpId tau = b_.Binary(OpKind::kDivide, b_.Binary(OpKind::kSubtract, c, a),
                               b_.Binary(OpKind::kAdd, b, b));
    const OpId root = b_.Unary(OpKind::kSqrt, WithScalar(b_, OpKind::kAdd, Square(b_, tau), 1));
    const OpId size = b_.Binary(OpKind::kAdd, b_.Unary(OpKind::kAbs, tau), root);
    const OpId tangent = b_.Binary(OpKind::kDivide, b_.Unary(OpKind::kSign, tau), size);
    const OpId cosine =
        b_.Unary(OpKind::kRsqrt, WithScalar(b_, OpKind::kAdd, Square(b_, tangent), 1));
    return {cosine, b_.Binary(OpKind::kMultiply, tangent, cosine)};
  }
  // Returns the rotation of [a, b; c, d] to a symmetric matrix.
  Turn Symmetrizing(OpId a, OpId b, OpId c, OpId d) {
    const OpId ratio = b_.Binary(OpKind::kDivide, b_.Binary(OpKind::kAdd, a, d),
                                 b_.Binary(OpKind::kSubtract, c, b));
    const OpId size = b_.Unary(OpKind::kRsqrt, WithScalar(b_, OpKind::kAdd, Square(b_, ratio), 1));
    return {b_.Binary(OpKind::kMultiply, ratio, size), b_.Unary(OpKind::kNegate, size)};
  }
  // Returns the two rotations one after the other.
  Turn Joined(Turn x, Turn y) {
    return {b_.Binary(OpKind::kSubtract, Times(x.c, y.c), Times(x.s, y.s)),
            b_.Binary(OpKind::kAdd, Times(x.s, y.c), Times(x.c, y.s))};
  }
  OpId Times(OpId x, OpId factor) {
    return b_.Binary(OpKind::kMultiply, x, b_.BroadcastTo(factor, b_.shape(x).dims));
  }

 private:
  GraphBuilder& b_;
};

}  // namespace

// Each iteration reflects a column and a row of the whole matrix.
Factorization::Singular Factorization::Bidiagonal(OpId a) {
  const int64_t row = Rank(a) - 2, column = Rank(a) - 1;
  const auto unit = [&](int64_t dim, OpId x, OpId number) {
    const OpId is_later = Places(x, dim, Comparison::kGt, number);
    const OpId later = b_.Select(is_later, x, FilledLike(b_, x, 0));
    const OpId sigma = b_.Reduce(Reducer::kSum, Square(b_, later), {dim});
    const OpId first = b_.Reshape(b_.DynamicSlice(x, {number}, {dim}, {1}), b_.shape(sigma).dims);
    const OpId norm = b_.Unary(OpKind::kSqrt, Sum(sigma, Square(b_, first)));
    const OpId head = Difference(first, norm);
    const OpId v = Quotient(later, Stretched(head, x, dim));
    const OpId is_first = Places(x, dim, Comparison::kEq, number);
    const OpId beta = Quotient(FilledLike(b_, sigma, 2),
                               WithScalar(b_, OpKind::kAdd, Quotient(sigma, Square(b_, head)), 1));
    const OpId whole = b_.Select(is_first, FilledLike(b_, x, 1), v);
    return std::pair{whole, b_.Binary(OpKind::kMultiply, whole, Stretched(beta, x, dim))};
  };
  const auto iteration = [&](const Values& carried, OpId number) -> Values {
    OpId d = carried[0], u = carried[1], v = carried[2];
    const OpId x = b_.DynamicSlice(d, {number}, {column}, {1});
    const auto [down, scaled] = unit(row, x, number);
    d = Difference(d, Product(scaled, Product(down, d, true, false)));
    u = Difference(u, Product(Product(u, down), scaled, false, true));
    const OpId y = b_.DynamicSlice(d, {number}, {row}, {1});
    const OpId next = b_.Binary(OpKind::kAdd, number, b_.Scalar(1, DType::kS32));
    const auto [across, other] = unit(column, y, next);
    d = Difference(d, Product(Product(d, across, false, true), other));
    v = Difference(v, Product(Product(v, across, false, true), other));
    return {d, u, v};
  };
  Shape of_u = b_.shape(a), of_v = of_u;
  of_u.dims.back() = of_u.dims[of_u.dims.size() - 2];
  of_v.dims[of_v.dims.size() - 2] = of_v.dims.back();
  const OpId u = Identity(b_.Constant(0, of_u));
  const OpId v = Identity(b_.Constant(0, of_v));
  const Values made = Loop(Columns(a), {a, u, v}, iteration);
  return {made[1], made[0], made[2]};
}

Factorization::Singular Factorization::Svd(OpId a) {
  if (!TakesMatrix(a)) return {};
  if (Rows(a) < Columns(a)) {
    const Singular turned = Svd(Turned(a));
    return {turned.v, turned.values, turned.u};
  }
  const int64_t n = Columns(a), row = Rank(a) - 2, column = Rank(a) - 1;
  const int64_t rows = Rows(a);
  const Singular start = Bidiagonal(a);
  const auto iteration = [&](const Values& carried, OpId p) -> Values {
    OpId d = carried[0], u = carried[1], v = carried[2];
    const OpId q = carried[3];
    Pairs pairs(b_);
    const OpId pp = pairs.Element(d, p, p), pq = pairs.Element(d, p, q);
    const OpId qp = pairs.Element(d, q, p), qq = pairs.Element(d, q, q);
    const Pairs::Turn even = pairs.Symmetrizing(pp, pq, qp, qq);
    const auto mixed = [&](OpId x, OpId y) {
      return Difference(pairs.Times(x, even.c), pairs.Times(y, even.s));
    };
    const OpId last = Sum(pairs.Times(pq, even.s), pairs.Times(qq, even.c));
    const Pairs::Turn right = pairs.Diagonalizing(mixed(pp, qp), mixed(pq, qq), last);
    const Pairs::Turn left = pairs.Joined(even, right);
    d = pairs.Rotated(d, row, p, q, left.c, left.s);
    d = pairs.Rotated(d, column, p, q, right.c, right.s);
    u = pairs.Rotated(u, column, p, q, left.c, left.s);
    v = pairs.Rotated(v, column, p, q, right.c, right.s);
    const OpId next = b_.Binary(OpKind::kAdd, q, b_.Scalar(1, DType::kS32));
    return {d, u, v, next};
  };
  const OpId second = b_.Scalar(1, DType::kS32);
  const Values made =
      Loop(Sweeps(n) * (n * (n - 1) / 2), {start.values, start.u, start.v, second}, iteration);
  if (!b_.ok()) return {};
  const OpId square = Part(made[0], 0, n, 0, n);
  const OpId values = DiagonalOf(square);
  const OpId keys = b_.Unary(OpKind::kNegate, b_.Unary(OpKind::kAbs, values));
  const auto ordered = [&](OpId x) {
    return b_.Sort({Stretched(keys, x, row), x}, column, false, 1);
  };
  OpId u = ordered(Part(made[1], 0, rows, 0, n));
  if (rows > n) {
    u = b_.Concatenate({u, Part(made[1], 0, rows, n, rows - n)}, column);
  }
  return {u, b_.Unary(OpKind::kNegate, b_.Sort({keys}, row, false)), ordered(made[2])};
}

}  // namespace tilewise
