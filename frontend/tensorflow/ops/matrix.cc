// Matmuls and the bias that is added to them.

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "frontend/tensorflow/ops/window_attributes.h"
#include "library/broadcast.h"
#include "library/einsum.h"
#include "library/matmul.h"

namespace tilewise::tf {
namespace {

absl::Status Product(OpContext& ctx, const MatMulOptions& options) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId y, Tensor(ctx, 1));
  OpId product = NumpyMatMul(ctx.builder(), x, y, options);
  if (const std::optional<DType> type = ctx.Type("Tout")) {
    product = ctx.builder().Convert(product, *type);
  }
  return ctx.Result(product);
}

absl::Status MatMul(OpContext& ctx) {
  return Product(ctx, {.transpose_x = ctx.Bool("transpose_a", false),
                       .transpose_y = ctx.Bool("transpose_b", false)});
}

absl::Status BatchMatMul(OpContext& ctx) {
  return Product(
      ctx, {.transpose_x = ctx.Bool("adj_x", false), .transpose_y = ctx.Bool("adj_y", false)});
}

// Sparse only in that zeros are skipped on a CPU: the product is f32.
absl::Status SparseMatMul(OpContext& ctx) {
  const OpId x = ctx.Input(0), y = ctx.Input(1);
  return ctx.Result(NumpyMatMul(ctx.builder(), ctx.builder().Convert(x, DType::kF32),
                                ctx.builder().Convert(y, DType::kF32),
                                {.transpose_x = ctx.Bool("transpose_a", false),
                                 .transpose_y = ctx.Bool("transpose_b", false)}));
}

absl::Status EinsumOp(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, ctx.num_inputs()));
  return ctx.Result(Einsum(ctx.builder(), ctx.Text("equation", ""), xs));
}

absl::Status BiasAdd(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId bias, Tensor(ctx, 1));
  GraphBuilder& b = ctx.builder();
  TW_ASSIGN_OR_RETURN(const int64_t dim, FeatureDim(ctx, b.shape(x)));
  return ctx.Result(b.Binary(OpKind::kAdd, x, AlongDim(b, bias, x, dim)));
}

absl::Status BiasAddGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId dy, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  TW_ASSIGN_OR_RETURN(const int64_t dim, FeatureDim(ctx, b.shape(dy)));
  std::vector<int64_t> others = AllDims(b.shape(dy).rank());
  others.erase(others.begin() + dim);
  return ctx.Result(b.Reduce(Reducer::kSum, dy, others));
}

// Three products and differences of elements rolled along the last dim.
absl::Status Cross(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId y, Tensor(ctx, 1));
  GraphBuilder& b = ctx.builder();
  const int64_t last = b.shape(x).rank() - 1;
  if (last < 0 || b.shape(x).dims.back() != Dim{3, false}) {
    return InvalidInput("a cross product needs a last dim of 3");
  }
  const auto rolled = [&](OpId v, int64_t by) {
    return b.Concatenate({b.SliceDim(v, last, by, 3), b.SliceDim(v, last, 0, by)}, last);
  };
  const OpId left = b.Binary(OpKind::kMultiply, rolled(x, 1), rolled(y, 2));
  const OpId right = b.Binary(OpKind::kMultiply, rolled(x, 2), rolled(y, 1));
  return ctx.Result(b.Binary(OpKind::kSubtract, left, right));
}

constexpr OpEntry kMatrixOps[] = {
    {"BatchMatMul", BatchMatMul},
    {"BatchMatMulV2", BatchMatMul},
    {"BatchMatMulV3", BatchMatMul},
    {"BiasAdd", BiasAdd},
    {"BiasAddGrad", BiasAddGrad},
    {"BiasAddV1", BiasAdd},
    {"Cross", Cross},
    {"Einsum", EinsumOp},
    {"MatMul", MatMul},
    {"SparseMatMul", SparseMatMul},
    {"XlaEinsum", EinsumOp},
};

}  // namespace

std::span<const OpEntry> MatrixOps() { return kMatrixOps; }

}  // namespace tilewise::tf
