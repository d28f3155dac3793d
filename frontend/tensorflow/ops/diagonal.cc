// Diagonals and bands of matrices, as masks over the last two dims.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/broadcast.h"
#include "library/term.h"

namespace tilewise::tf {
namespace {

// Column minus row of the last two dims of `shape`.
Term Offset(GraphBuilder& b, const Shape& shape) {
  const Shape places = shape.WithType(DType::kS32);
  const Term columns(b, b.Iota(places, places.rank() - 1));
  const Term rows(b, b.Iota(places, places.rank() - 2));
  return columns - rows;
}

absl::Status CheckMatrix(const Shape& shape) {
  if (shape.rank() >= 2) return absl::OkStatus();
  return InvalidInput(fmt::format("found {}, expected matrices", FormatShape(shape)));
}

// Where lower or upper are negative, all of that side is kept.
absl::Status BandPart(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId op, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const int64_t lower, KnownSingle(ctx, 1, "num_lower"));
  TW_ASSIGN_OR_RETURN(const int64_t upper, KnownSingle(ctx, 2, "num_upper"));
  GraphBuilder& b = ctx.builder();
  TW_RETURN_IF_ERROR(CheckMatrix(b.shape(op)));
  if (lower < 0 && upper < 0) {
    return ctx.Result(op);
  }
  const Term x(b, op);
  const Term offset = Offset(b, b.shape(op));
  Term kept;
  if (lower >= 0) {
    kept = Compared(Comparison::kGe, offset, -static_cast<double>(lower));
  }
  if (upper >= 0) {
    const Term below = Compared(Comparison::kLe, offset, static_cast<double>(upper));
    kept = lower >= 0 ? Binary(OpKind::kAnd, kept, below) : below;
  }
  return ctx.Result(Where(kept, x, x.Like(0)).id);
}

// Vectors onto main diagonals of square matrices.
absl::Status MatrixDiag(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId diagonal, Tensor(ctx, 0));
  if (ctx.num_inputs() > 1 && ctx.KnownInt(1) != 0) {
    return InvalidInput("diagonals other than the main one");
  }
  GraphBuilder& b = ctx.builder();
  Shape shape = b.shape(diagonal);
  if (shape.rank() < 1) return InvalidInput("a diagonal without dims");
  shape.dims.push_back(shape.dims.back());
  std::vector<int64_t> mapping = AllDims(shape.rank() - 1);
  const Term wide(b, b.Broadcast(diagonal, shape.dims, mapping));
  const Term on = Compared(Comparison::kEq, Offset(b, shape), 0);
  return ctx.Result(Where(on, wide, wide.Like(0)).id);
}

// The main diagonal: the masked matrix summed over its columns.
absl::Status MatrixDiagPart(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(OpId op, Tensor(ctx, 0));
  if (ctx.num_inputs() > 1 && ctx.KnownInt(1) != 0) {
    return InvalidInput("diagonals other than the main one");
  }
  GraphBuilder& b = ctx.builder();
  Shape shape = b.shape(op);
  TW_RETURN_IF_ERROR(CheckMatrix(shape));
  const size_t rank = shape.rank();
  const Dim rows = shape.dims[rank - 2], columns = shape.dims[rank - 1];
  if (rows != columns) {
    if (rows.per_batch || columns.per_batch) {
      return InvalidInput("the length of a diagonal depends on the batch");
    }
    const int64_t size = std::min(rows.factor, columns.factor);
    op = b.SliceDim(op, shape.rank() - 2, 0, size);
    op = b.SliceDim(op, shape.rank() - 1, 0, size);
    shape = b.shape(op);
  }
  const Term x(b, op);
  const Term on = Compared(Comparison::kEq, Offset(b, shape), 0);
  return ctx.Result(Sum(Where(on, x, x.Like(0)), {shape.rank() - 1}).id);
}

absl::Status MatrixSetDiag(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId op, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId diagonal, Tensor(ctx, 1));
  if (ctx.num_inputs() > 2 && ctx.KnownInt(2) != 0) {
    return InvalidInput("diagonals other than the main one");
  }
  GraphBuilder& b = ctx.builder();
  const Shape shape = b.shape(op);
  TW_RETURN_IF_ERROR(CheckMatrix(shape));
  if (b.shape(diagonal).rank() != shape.rank() - 1) {
    return InvalidInput("the diagonals have another rank than their matrices");
  }
  // The diagonal along the rows or the columns, whichever it is as long as.
  std::vector<int64_t> mapping = AllDims(shape.rank() - 1);
  if (b.shape(diagonal).dims.back() != shape.dims[shape.dims.size() - 2]) {
    mapping.back() = shape.rank() - 1;
  }
  const Term x(b, op);
  const Term wide(b, b.Broadcast(diagonal, shape.dims, mapping));
  const Term on = Compared(Comparison::kEq, Offset(b, shape), 0);
  return ctx.Result(Where(on, wide, x).id);
}

// Takes vectors or matrices only: tensors of more dims have several diagonals.
template <OpFunction kFunction, int kRank>
absl::Status OfRank(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, TensorShapeOf(ctx, 0));
  if (shape.rank() == kRank) return kFunction(ctx);
  return InvalidInput(fmt::format("found {}, expected rank {}", FormatShape(shape), kRank));
}

constexpr OpEntry kDiagonalOps[] = {
    {"BatchMatrixBandPart", BandPart},
    {"BatchMatrixDiag", MatrixDiag},
    {"BatchMatrixDiagPart", MatrixDiagPart},
    {"BatchMatrixSetDiag", MatrixSetDiag},
    {"Diag", OfRank<MatrixDiag, 1>},
    {"DiagPart", OfRank<MatrixDiagPart, 2>},
    {"MatrixBandPart", BandPart},
    {"MatrixDiag", MatrixDiag},
    {"MatrixDiagPart", MatrixDiagPart},
    {"MatrixDiagPartV2", MatrixDiagPart},
    {"MatrixDiagPartV3", MatrixDiagPart},
    {"MatrixDiagV2", MatrixDiag},
    {"MatrixDiagV3", MatrixDiag},
    {"MatrixSetDiag", MatrixSetDiag},
    {"MatrixSetDiagV2", MatrixSetDiag},
    {"MatrixSetDiagV3", MatrixSetDiag},
};

}  // namespace

std::span<const OpEntry> DiagonalOps() { return kDiagonalOps; }

}  // namespace tilewise::tf
