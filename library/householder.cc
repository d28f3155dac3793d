// QR by reflections, and their product.
// Source: xla/hlo/transforms/expanders/qr_expander.cc.

#include <algorithm>

#include "library/factorization.h"
#include "library/factorization_block.h"
#include "library/rearrange.h"

namespace tilewise {

// Each iteration makes the reflection of one column and applies it to all that
// follow; columns before are masked.
Factorization::Reflections Factorization::QrOfBlock(OpId a) {
  const Shape shape = b_.shape(a);
  if (!b_.ok()) return {};
  const int64_t row = Rank(a) - 2, column = Rank(a) - 1;
  const int64_t trips = std::min(Rows(a), Columns(a));
  Shape of_taus(shape.dtype, {shape.dims.begin(), shape.dims.end() - 1});
  of_taus.dims.back() = {trips, false};
  const auto iteration = [&](const Values& carried, OpId number) -> Values {
    const OpId old = carried[0];
    const OpId x = b_.DynamicSlice(old, {number}, {column}, {1});
    const OpId is_below = Places(x, row, Comparison::kGt, number);
    const OpId below = b_.Select(is_below, x, b_.Constant(0, b_.shape(x)));
    const OpId squares = b_.Binary(OpKind::kMultiply, below, below);
    const OpId sigma = b_.Reduce(Reducer::kSum, squares, {row});
    const OpId alpha = b_.Reshape(b_.DynamicSlice(x, {number}, {row}, {1}), b_.shape(sigma).dims);
    const OpId norm =
        b_.Unary(OpKind::kSqrt, Sum(b_.Binary(OpKind::kMultiply, alpha, alpha), sigma));
    const OpId beta = b_.Unary(OpKind::kNegate, norm);
    const OpId tau = Quotient(Difference(beta, alpha), beta);
    const OpId v = Quotient(below, Stretched(Difference(alpha, beta), x, row));
    const OpId is_later = Places(old, column, Comparison::kGt, number);
    const OpId later = b_.Select(is_later, old, b_.Constant(0, shape));
    const OpId change = Product(v, Product(v, later, true, false));
    std::vector<Dim> ones = b_.shape(sigma).dims;
    ones.push_back({1, false});
    const OpId factor = b_.BroadcastTo(b_.Reshape(tau, ones), shape.dims);
    const OpId reflected = Difference(old, b_.Binary(OpKind::kMultiply, factor, change));
    const OpId is_column = Places(old, column, Comparison::kEq, number);
    const OpId made = b_.Select(is_column, b_.BroadcastTo(v, shape.dims), reflected);
    const OpId is_tau = Places(carried[1], Rank(carried[1]) - 1, Comparison::kEq, number);
    return {made, b_.Select(is_tau, b_.BroadcastTo(tau, of_taus.dims), carried[1])};
  };
  const Values made = Loop(trips, {a, b_.Constant(0, of_taus)}, iteration);
  return {made[0], made[1]};
}

OpId Factorization::VectorsOf(OpId a) {
  const OpId lower = Triangle(b_, a, true, -1);
  return Sum(lower, Identity(a));
}

OpId Factorization::CompactWy(OpId vectors, OpId taus) {
  if (!b_.ok()) return kNoOp;
  const int64_t row = Rank(vectors) - 2, column = Rank(vectors) - 1;
  const OpId products = Triangle(b_, Product(vectors, vectors, true, false), false, 0);
  const OpId minus = b_.Unary(OpKind::kNegate, taus);
  const OpId scaled = b_.Binary(OpKind::kMultiply, products, Stretched(minus, products, row));
  const auto iteration = [&](const Values& carried, OpId number) -> Values {
    const OpId from = b_.DynamicSlice(scaled, {number}, {column}, {1});
    return {b_.DynamicUpdateSlice(carried[0], Product(carried[0], from), {number}, {column})};
  };
  return Loop(Columns(vectors), {Identity(products)}, iteration)[0];
}

Factorization::Reflections Factorization::Qr(OpId a) {
  if (!TakesMatrix(a)) return {};
  const int64_t rows = Rows(a), columns = Columns(a);
  const int64_t count = std::min(rows, columns);
  Values taus;
  for (int64_t at = 0; at < count && b_.ok(); at += kFactorBlock) {
    const int64_t size = std::min(kFactorBlock, count - at);
    const int64_t right = columns - at - size;
    const Reflections block = QrOfBlock(Part(a, at, rows - at, at, size));
    a = Updated(a, block.a, at, at);
    taus.push_back(block.taus);
    if (right == 0) break;
    const OpId vectors = VectorsOf(block.a);
    const OpId wy = Product(vectors, CompactWy(vectors, block.taus), false, true);
    const OpId panel = Part(a, at, rows - at, at + size, right);
    const OpId change = Product(wy, Product(vectors, panel, true, false));
    a = Updated(a, Sum(panel, change), at, at + size);
  }
  if (!b_.ok()) return {};
  return {a, taus.size() == 1 ? taus[0] : b_.Concatenate(taus, Rank(taus[0]) - 1)};
}

OpId Factorization::HouseholderProduct(OpId a, OpId taus) {
  if (!TakesMatrix(a)) return kNoOp;
  const int64_t rows = Rows(a), columns = Columns(a);
  const int64_t last = Rank(taus) - 1;
  const int64_t count = last < 0 ? 0 : b_.shape(taus).size(last);
  if (rows < columns || last != Rank(a) - 2 || count > columns) {
    b_.Fail("found factors that do not fit the vectors");
    return kNoOp;
  }
  Shape square = b_.shape(a);
  square.dims.back() = square.dims[square.dims.size() - 2];
  OpId q = b_.BroadcastTo(Eye(b_, rows, rows, 0, square.dtype), square.dims);
  for (int64_t at = 0; at < count && b_.ok(); at += kFactorBlock) {
    const int64_t size = std::min(kFactorBlock, count - at);
    const OpId vectors = VectorsOf(Part(a, at, rows - at, at, size));
    const OpId own = size == count ? taus : b_.SliceDim(taus, last, at, at + size);
    const OpId wy = Product(vectors, CompactWy(vectors, own), false, true);
    const OpId panel = Part(q, 0, rows, at, rows - at);
    const OpId change = Product(Product(panel, vectors), wy, false, true);
    q = Updated(q, Sum(panel, change), 0, at);
  }
  return Part(q, 0, rows, 0, columns);
}

// QRExplicit of xla/hlo/builder/lib/qr.cc.
Factorization::QAndR Factorization::ExplicitQr(OpId a) {
  const Reflections made = Qr(a);
  if (!b_.ok()) return {};
  const int64_t columns = Columns(a);
  QAndR result;
  result.q = HouseholderProduct(made.a, made.taus);
  result.r = Triangle(b_, Part(made.a, 0, columns, 0, columns), false, 0);
  return result;
}

// tf2xla/kernels/matrix_solve_op.cc.
OpId Factorization::Solve(OpId a, OpId b) {
  if (!TakesSquare(a)) return kNoOp;
  const QAndR qr = ExplicitQr(a);
  const OpId turned = Product(qr.q, b, true, false);
  return TriangularSolve(qr.r, turned, true, false, false);
}

// SLogDet of xla/hlo/builder/lib/logdet.cc, but for its logarithm.
OpId Factorization::Determinant(OpId a) {
  if (!TakesSquare(a)) return kNoOp;
  const OpId diagonal = DiagonalOf(Qr(a).a);
  return b_.Reduce(Reducer::kProduct, diagonal, {Rank(a) - 2});
}

// tf2xla/kernels/matrix_inverse_op.cc.
OpId Factorization::Inverse(OpId a) {
  if (!TakesSquare(a)) return kNoOp;
  const QAndR qr = ExplicitQr(a);
  return TriangularSolve(qr.r, Turned(qr.q), true, false, false);
}

}  // namespace tilewise
