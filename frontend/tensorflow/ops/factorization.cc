// Factorizations of matrices that XLA's expanders write out for TPUs, and what
// tf2xla makes of them: inverses, solves and determinants are QR's.

#include "library/factorization.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"

namespace tilewise::tf {
namespace {

Factorization Factored(OpContext& ctx) {
  return {ctx.builder(), ctx.loop(), [&ctx] { return ctx.NewLoop(); }};
}

absl::StatusOr<Shape> Matrices(const OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, TensorShapeOf(ctx, 0));
  if (shape.rank() >= 2) return shape;
  return InvalidInput(fmt::format("found {}, expected matrices", FormatShape(shape)));
}

absl::Status Cholesky(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, TensorShapeOf(ctx, 0));
  if (!Factorization::Takes(shape)) return OpaqueResult(ctx, 0, shape);
  TW_ASSIGN_OR_RETURN(const OpId a, Tensor(ctx, 0));
  return ctx.Result(Factored(ctx).Cholesky(a, true));
}

bool SameSets(const Shape& a, const Shape& b) {
  return a.rank() == b.rank() && std::equal(a.dims.begin(), a.dims.end() - 2, b.dims.begin());
}

absl::Status TriangularSolve(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape of_a, TensorShapeOf(ctx, 0));
  TW_ASSIGN_OR_RETURN(const Shape of_b, TensorShapeOf(ctx, 1));
  if (!Factorization::Takes(of_a) || !Factorization::Takes(of_b) || !SameSets(of_a, of_b)) {
    return OpaqueResult(ctx, 0, of_b);
  }
  TW_ASSIGN_OR_RETURN(const OpId a, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId b, Tensor(ctx, 1));
  return ctx.Result(Factored(ctx).TriangularSolve(a, b, true, ctx.Bool("lower", true),
                                                  ctx.Bool("adjoint", false)));
}

// This is a QR with all columns of Q, or with fewer rows than columns.
absl::Status OtherQr(OpContext& ctx, const Shape& shape) {
  const size_t rank = shape.dims.size();
  const Dim rows = shape.dims[rank - 2], columns = shape.dims[rank - 1];
  if (rows.per_batch || columns.per_batch) {
    return InvalidInput("a matrix as large as the batch");
  }
  Shape q = shape, r = shape;
  q.dims[rank - 1] = {std::min(rows.factor, columns.factor), false};
  if (ctx.Bool("full_matrices", false)) q.dims[rank - 1] = rows;
  r.dims[rank - 2] = q.dims[rank - 1];
  TW_RETURN_IF_ERROR(OpaqueResult(ctx, 0, q));
  return OpaqueResult(ctx, 1, r);
}

// Q [.., rows, columns] and R [.., columns, columns].
absl::Status Qr(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, Matrices(ctx));
  const int64_t columns = shape.dims.back().factor;
  const bool is_tall = shape.dims[shape.dims.size() - 2].factor >= columns;
  if (!is_tall || ctx.Bool("full_matrices", false) || !Factorization::Takes(shape)) {
    return OtherQr(ctx, shape);
  }
  TW_ASSIGN_OR_RETURN(const OpId a, Tensor(ctx, 0));
  const Factorization::QAndR made = Factored(ctx).ExplicitQr(a);
  ctx.Set(0, made.q);
  ctx.Set(1, made.r);
  return absl::OkStatus();
}

bool TakesSquare(const Shape& shape) {
  return Factorization::Takes(shape) && shape.dims.back() == shape.dims[shape.dims.size() - 2];
}

absl::Status Inverse(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, Matrices(ctx));
  if (!TakesSquare(shape)) return OpaqueResult(ctx, 0, shape);
  TW_ASSIGN_OR_RETURN(const OpId a, Tensor(ctx, 0));
  return ctx.Result(Factored(ctx).Inverse(a));
}

absl::Status Solve(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape of_a, Matrices(ctx));
  TW_ASSIGN_OR_RETURN(const Shape of_b, TensorShapeOf(ctx, 1));
  if (!TakesSquare(of_a) || !Factorization::Takes(of_b) || !SameSets(of_a, of_b)) {
    return OpaqueResult(ctx, 0, of_b);
  }
  TW_ASSIGN_OR_RETURN(const OpId a, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId b, Tensor(ctx, 1));
  return ctx.Result(Factored(ctx).Solve(a, b));
}

// The sign comes with the logarithm of its size.
absl::Status Determinant(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, Matrices(ctx));
  const bool is_log = ctx.op() == "LogMatrixDeterminant";
  if (!TakesSquare(shape)) {
    Shape made = shape;
    made.dims.resize(made.dims.size() - 2);
    TW_RETURN_IF_ERROR(OpaqueResult(ctx, 0, made));
    return is_log ? OpaqueResult(ctx, 1, made) : absl::OkStatus();
  }
  TW_ASSIGN_OR_RETURN(const OpId a, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  const OpId made = Factored(ctx).Determinant(a);
  ctx.Set(0, is_log ? b.Unary(OpKind::kSign, made) : made);
  if (is_log) {
    ctx.Set(1, b.Unary(OpKind::kLog, b.Unary(OpKind::kAbs, made)));
  }
  return absl::OkStatus();
}

// L and U in one, and where each row comes from.
absl::Status Lu(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, Matrices(ctx));
  const DType places = TypeOr(ctx, "output_idx_type", DType::kS32);
  if (!TakesSquare(shape)) {
    Shape rows = shape.WithType(places);
    rows.dims.pop_back();
    TW_RETURN_IF_ERROR(OpaqueResult(ctx, 0, shape));
    return OpaqueResult(ctx, 1, rows);
  }
  TW_ASSIGN_OR_RETURN(const OpId a, Tensor(ctx, 0));
  const Factorization::Triangles made = Factored(ctx).Lu(a);
  ctx.Set(0, made.a);
  ctx.Set(1, ctx.builder().Convert(made.permutation, places));
  return absl::OkStatus();
}

constexpr std::string_view kIterationsAreData =
    "how many sweeps it takes is data: log2 of the number of rows are taken";

// Eigenvalues and vectors.
absl::Status SelfAdjointEig(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, Matrices(ctx));
  if (!TakesSquare(shape)) {
    Shape values = shape;
    values.dims.pop_back();
    TW_RETURN_IF_ERROR(OpaqueResult(ctx, 0, values));
    return OpaqueResult(ctx, 1, shape);
  }
  TW_ASSIGN_OR_RETURN(const OpId a, Tensor(ctx, 0));
  const Factorization::Eigen made = Factored(ctx).Eigh(a);
  ctx.Set(0, made.values);
  ctx.Set(1, made.vectors);
  ctx.Note("RD002", std::string(kIterationsAreData));
  return absl::OkStatus();
}

absl::Status OtherSvd(OpContext& ctx, const Shape& shape, Dim inner, bool full) {
  const size_t rank = shape.dims.size();
  const Dim rows = shape.dims[rank - 2], columns = shape.dims[rank - 1];
  Shape values = shape, u = shape, v = shape;
  values.dims.pop_back();
  values.dims[rank - 2] = inner;
  u.dims[rank - 1] = full ? rows : inner;
  v.dims[rank - 2] = columns;
  v.dims[rank - 1] = full ? columns : inner;
  TW_RETURN_IF_ERROR(OpaqueResult(ctx, 0, values));
  if (!ctx.Bool("compute_uv", true)) return absl::OkStatus();
  TW_RETURN_IF_ERROR(OpaqueResult(ctx, 1, u));
  return OpaqueResult(ctx, 2, v);
}

// Singular values and, asked for, the vectors of both sides.
absl::Status Svd(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, Matrices(ctx));
  const int64_t rank = shape.rank();
  const Dim rows = shape.dims[shape.dims.size() - 2];
  const Dim columns = shape.dims.back();
  if (rows.per_batch || columns.per_batch) {
    return InvalidInput("a matrix as large as the batch");
  }
  const bool full = ctx.op() == "XlaSvd" || ctx.Bool("full_matrices", false);
  const Dim inner = {std::min(rows.factor, columns.factor), false};
  if (!Factorization::Takes(shape)) return OtherSvd(ctx, shape, inner, full);
  TW_ASSIGN_OR_RETURN(const OpId a, Tensor(ctx, 0));
  const Factorization::Singular made = Factored(ctx).Svd(a);
  ctx.Set(0, made.values);
  ctx.Note("RD002", std::string(kIterationsAreData));
  if (!ctx.Bool("compute_uv", true)) return absl::OkStatus();
  const auto cut = [&](OpId x, Dim all) {
    if (full || all == inner) return x;
    return ctx.builder().SliceDim(x, rank - 1, 0, inner.factor);
  };
  ctx.Set(1, cut(made.u, rows));
  ctx.Set(2, cut(made.v, columns));
  return absl::OkStatus();
}

constexpr OpEntry kFactorizationOps[] = {
    {"BatchCholesky", Cholesky},
    {"BatchMatrixDeterminant", Determinant},
    {"BatchMatrixInverse", Inverse},
    {"BatchMatrixSolve", Solve},
    {"BatchMatrixTriangularSolve", TriangularSolve},
    {"BatchSelfAdjointEigV2", SelfAdjointEig},
    {"BatchSvd", Svd},
    {"Cholesky", Cholesky},
    {"LogMatrixDeterminant", Determinant},
    {"Lu", Lu},
    {"MatrixDeterminant", Determinant},
    {"MatrixInverse", Inverse},
    {"MatrixSolve", Solve},
    {"MatrixTriangularSolve", TriangularSolve},
    {"Qr", Qr},
    {"SelfAdjointEigV2", SelfAdjointEig},
    {"Svd", Svd},
    {"XlaSelfAdjointEig", SelfAdjointEig},
    {"XlaSvd", Svd},
};

}  // namespace

std::span<const OpEntry> FactorizationOps() { return kFactorizationOps; }

}  // namespace tilewise::tf
