// Factorizations of matrices that XLA's expanders write out for TPUs.

#include "frontend/tensor/factorization.h"

#include <algorithm>

#include "frontend/tensor/rearrange.h"
#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"

namespace tilewise::tf {
namespace {

Factorization Factored(OpContext& ctx) {
  return {ctx.builder, ctx.loop_place(), [&ctx] { return ctx.NewLoop(); }};
}

absl::Status Cholesky(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, TensorShapeOf(ctx, 0));
  if (!Factorization::Takes(shape)) return OpaqueResult(ctx, 0, shape);
  TW_ASSIGN_OR_RETURN(const OpId a, Tensor(ctx, 0));
  ctx.SetOp(0, Factored(ctx).Cholesky(a, true));
  return absl::OkStatus();
}

bool SameSets(const Shape& a, const Shape& b) {
  return a.rank() == b.rank() &&
         std::equal(a.dims.begin(), a.dims.end() - 2, b.dims.begin());
}

absl::Status TriangularSolve(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape of_a, TensorShapeOf(ctx, 0));
  TW_ASSIGN_OR_RETURN(const Shape of_b, TensorShapeOf(ctx, 1));
  if (!Factorization::Takes(of_a) || !Factorization::Takes(of_b) ||
      !SameSets(of_a, of_b)) {
    return OpaqueResult(ctx, 0, of_b);
  }
  TW_ASSIGN_OR_RETURN(const OpId a, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId b, Tensor(ctx, 1));
  ctx.SetOp(0,
            Factored(ctx).TriangularSolve(a, b, true, ctx.Bool("lower", true),
                                          ctx.Bool("adjoint", false)));
  return absl::OkStatus();
}

// All columns of Q, or fewer rows than columns.
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
  TW_ASSIGN_OR_RETURN(const Shape shape, TensorShapeOf(ctx, 0));
  const int64_t rank = shape.rank();
  if (rank < 2) return InvalidInput("found no matrices");
  const int64_t columns = shape.dims.back().factor;
  const bool is_tall = shape.dims[shape.dims.size() - 2].factor >= columns;
  if (!is_tall || ctx.Bool("full_matrices", false) ||
      !Factorization::Takes(shape)) {
    return OtherQr(ctx, shape);
  }
  TW_ASSIGN_OR_RETURN(const OpId a, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder;
  Factorization factorization = Factored(ctx);
  const Factorization::Reflections made = factorization.Qr(a);
  ctx.SetOp(0, factorization.HouseholderProduct(made.a, made.taus));
  ctx.SetOp(1, Triangle(b, b.SliceDim(made.a, rank - 2, 0, columns), false, 0));
  return absl::OkStatus();
}

constexpr OpEntry kEntries[] = {
    {"BatchCholesky", Cholesky},
    {"BatchMatrixTriangularSolve", TriangularSolve},
    {"Cholesky", Cholesky},
    {"MatrixTriangularSolve", TriangularSolve},
    {"Qr", Qr},
};

}  // namespace

std::span<const OpEntry> FactorizationOps() { return kEntries; }

}  // namespace tilewise::tf
