// Factorizations of matrices, written out as XLA does it for TPUs in its
// expanders of cholesky, triangular-solve, Qr, Eigh and
// ProductOfElementaryHouseholderReflectors, and in its client's SVD: blocks of
// 128 columns, in a block one iteration of a loop for each column, between
// blocks matmuls of the highest precision; rotations for eigenvalues and
// singular values. Dims before the last two count matrices. What the expanders
// do about numbers that are none is left out.

#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "graph/graph_builder.h"

namespace tilewise {

class Factorization {
 public:
  // `outer` is where the ops stand that `builder` adds; `new_loop` gives
  // numbers that no loop of the graph has yet.
  Factorization(GraphBuilder& builder, EnclosingLoop outer, std::function<int32_t()> new_loop)
      : b_(builder), outer_(outer), new_loop_(std::move(new_loop)) {}

  // Whether it takes such matrices: real numbers, sizes known and not too large
  // to write their blocks out.
  static bool Takes(const Shape& shape);

  // The factor of square matrices; the other triangle is 0.
  OpId Cholesky(OpId a, bool lower);
  // x of a x = b, or of x a = b unless `left`; a is triangular.
  OpId TriangularSolve(OpId a, OpId b, bool left, bool lower, bool transpose_a);

  struct Reflections {
    OpId a = kNoOp;     // R, and below it the vectors
    OpId taus = kNoOp;  // their factors, [.., min(rows, columns)]
  };
  Reflections Qr(OpId a);
  // The first columns of the product of the reflections.
  OpId HouseholderProduct(OpId a, OpId taus);
  // Q [.., rows, columns] and R [.., columns, columns]; as many rows as
  // columns, or more.
  struct QAndR {
    OpId q = kNoOp;
    OpId r = kNoOp;
  };
  QAndR ExplicitQr(OpId a);
  // x of a x = b by way of it, a is square.
  OpId Solve(OpId a, OpId b);
  OpId Inverse(OpId a);
  OpId Determinant(OpId a);

  // L and U in one, s32 [.., min(rows, columns)]: the row that each was
  // exchanged with, and s32 [.., rows]: where each row comes from.
  struct Triangles {
    OpId a = kNoOp;
    OpId pivots = kNoOp;
    OpId permutation = kNoOp;
  };
  Triangles Lu(OpId a);

  // Symmetric matrices have vectors [.., n, n] and values [.., n].
  struct Eigen {
    OpId vectors = kNoOp;
    OpId values = kNoOp;
  };
  Eigen Eigh(OpId a);

  // These are all columns of both sides, [.., rows, rows] and [.., columns,
  // columns], and values [.., min(rows, columns)].
  struct Singular {
    OpId u = kNoOp;
    OpId values = kNoOp;
    OpId v = kNoOp;
  };
  Singular Svd(OpId a);

 private:
  using Values = std::vector<OpId>;

  bool TakesMatrix(OpId a);  // fails for what the expanders do not take
  bool TakesSquare(OpId a);
  int64_t Rank(OpId a) const { return b_.shape(a).rank(); }
  int64_t Rows(OpId a) const { return b_.shape(a).size(Rank(a) - 2); }
  int64_t Columns(OpId a) const { return b_.shape(a).size(Rank(a) - 1); }

  OpId Part(OpId a, int64_t row, int64_t rows, int64_t column, int64_t columns);
  OpId Updated(OpId a, OpId part, int64_t row, int64_t column);
  OpId Product(OpId x, OpId y, bool transpose_x = false, bool transpose_y = false);
  OpId Sum(OpId x, OpId y) { return b_.Binary(OpKind::kAdd, x, y); }
  OpId Difference(OpId x, OpId y) { return b_.Binary(OpKind::kSubtract, x, y); }
  OpId Quotient(OpId x, OpId y) { return b_.Binary(OpKind::kDivide, x, y); }
  OpId Identity(OpId like);
  // v [.., k] stretched to the dims of a, whose dim `dim` it lacks.
  OpId Stretched(OpId v, OpId a, int64_t dim);
  // Compares the position along `dim` of a with `number`, which is data.
  OpId Places(OpId a, int64_t dim, Comparison comparison, OpId number);

  // `body` in a loop of its own, of what it carries and the number of the
  // iteration.
  Values Loop(int64_t trips, const Values& carried,
              const std::function<Values(const Values&, OpId)>& body);

  OpId CholeskyOfBlock(OpId a);
  OpId DiagonalBlocks(OpId a);  // [.., blocks, size, size]
  OpId InverseOfTriangles(OpId a, bool lower);
  Reflections QrOfBlock(OpId a);
  OpId VectorsOf(OpId a);  // those below R, with ones on the diagonal
  // T of I + Y T Y', the product of the reflections of vectors Y.
  OpId CompactWy(OpId vectors, OpId taus);
  Triangles LuOfBlock(OpId a);
  OpId DiagonalOf(OpId a);
  OpId Turned(OpId a);  // the last two dims exchanged
  Singular Bidiagonal(OpId a);

  GraphBuilder& b_;
  EnclosingLoop outer_;
  std::function<int32_t()> new_loop_;
};

}  // namespace tilewise
