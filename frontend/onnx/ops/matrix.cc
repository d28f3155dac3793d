// Matmuls and what ONNX Runtime fuses with them.

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "library/broadcast.h"
#include "library/einsum.h"
#include "library/factorization.h"
#include "library/matmul.h"

namespace tilewise::onnx {
namespace {

void MatMul(NodeContext& ctx) {
  ctx.Set(0, NumpyMatMul(ctx.builder(), ctx.Input(0), ctx.Input(1)));
}

OpId Scaled(NodeContext& ctx, OpId x, double factor) {
  if (factor == 1) return x;
  return WithScalar(ctx.builder(), OpKind::kMultiply, x, factor);
}

void Gemm(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  MatMulOptions options;
  options.transpose_x = ctx.Int("transA", 0) != 0;
  options.transpose_y = ctx.Int("transB", 0) != 0;
  OpId y = NumpyMatMul(b, ctx.Input(0), ctx.Input(1), options);
  y = Scaled(ctx, y, ctx.Float("alpha", 1));
  const double beta = ctx.Float("beta", 1);
  if (ctx.Has(2) && beta != 0) {
    y = BinaryOf(b, OpKind::kAdd, y, Scaled(ctx, ctx.Input(2), beta));
  }
  const AttributeView* activation = ctx.Find("activation");
  if (activation != nullptr) {
    y = Activated(ctx, y, activation->s, ctx.Floats("activation_params"));
  }
  ctx.Set(0, y);
}

void FusedMatMul(NodeContext& ctx) {
  MatMulOptions options;
  options.transpose_x = ctx.Int("transA", 0) != 0;
  options.transpose_y = ctx.Int("transB", 0) != 0;
  if (ctx.Int("transBatchA", 0) != 0 || ctx.Int("transBatchB", 0) != 0) {
    return ctx.Fail("transposed batch dims are not lowered");
  }
  const OpId y = NumpyMatMul(ctx.builder(), ctx.Input(0), ctx.Input(1), options);
  const OpId scaled = Scaled(ctx, y, ctx.Float("alpha", 1));
  ctx.Set(0, Activated(ctx, scaled, ctx.Text("activation", ""), {}));
}

void EinsumOp(NodeContext& ctx) {
  std::vector<OpId> operands;
  operands.reserve(ctx.input_count());
  for (size_t i = 0; i < ctx.input_count(); ++i) {
    operands.push_back(ctx.Input(i));
  }
  if (!ctx.ok()) return;
  ctx.Set(0, Einsum(ctx.builder(), ctx.Text("equation", ""), operands));
}

// Weights of 2 to 8 bits in blocks of k, each with its scale: widened, then
// multiplied.
void MatMulNBits(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId x = ctx.Input(0);
  const int64_t k = ctx.Int("K", 0);
  const int64_t n = ctx.Int("N", 0);
  const int64_t block = ctx.Int("block_size", 32);
  if (k < 1 || n < 1 || block < 1 || k > (int64_t{1} << 31) || n > (int64_t{1} << 31) ||
      block > k + 4096) {
    return ctx.Fail(fmt::format("found K {}, N {}, block {}", k, n, block));
  }
  const DType type = b.shape(x).dtype;
  const int64_t blocks = (k + block - 1) / block;
  const bool narrow = ctx.Int("bits", 4) <= 4;
  const OpId stored = b.Variable(Shape::Of(narrow ? DType::kU4 : DType::kU8, {n, blocks, block}),
                                 "weights", /*trainable=*/false);
  const OpId scales = b.Reshape(ctx.Input(2), {{n, false}, {blocks, false}});
  OpId wide = b.Convert(stored, type);
  wide = b.Binary(OpKind::kMultiply, wide,
                  b.Broadcast(b.Convert(scales, type), b.shape(wide).dims, {0, 1}));
  wide = b.Reshape(wide, {{n, false}, {blocks * block, false}});
  if (blocks * block != k) wide = b.SliceDim(wide, 1, 0, k);
  MatMulOptions options;
  options.transpose_y = true;
  OpId y = NumpyMatMul(b, x, wide, options);
  if (ctx.Has(5)) y = BinaryOf(b, OpKind::kAdd, y, ctx.Input(5));
  ctx.Set(0, y);
}

// A square matrix by way of QR, as tf2xla does it.
void Factored(NodeContext& ctx, Shape result, OpId (Factorization::*make)(OpId)) {
  const Shape shape = ctx.ShapeOf(0);
  if (!Factorization::Takes(shape) || ctx.NewLoop() == 0) {
    return ctx.SetOpaque(0, std::move(result));
  }
  Factorization factorization(ctx.builder(), ctx.loop(), [&ctx] { return ctx.NewLoop(); });
  ctx.Set(0, (factorization.*make)(ctx.Input(0)));
}

void Det(NodeContext& ctx) {
  Shape shape = ctx.ShapeOf(0);
  if (shape.rank() < 2) return ctx.Fail("found no matrix");
  shape.dims.resize(shape.dims.size() - 2);
  Factored(ctx, std::move(shape), &Factorization::Determinant);
}

void Inverse(NodeContext& ctx) { Factored(ctx, ctx.ShapeOf(0), &Factorization::Inverse); }

constexpr OpEntry kMatrixOps[] = {
    {kStandard, "MatMul", MatMul},
    {kStandard, "Gemm", Gemm},
    {kStandard, "Einsum", EinsumOp},
    {kStandard, "Det", Det},
    {kMicrosoft, "FusedMatMul", FusedMatMul},
    {kMicrosoft, "FusedMatMulActivation", FusedMatMul},
    {kMicrosoft, "TransposeMatMul", FusedMatMul},
    {kMicrosoft, "FusedGemm", Gemm},
    {kMicrosoft, "GemmFloat8", Gemm},
    {kMicrosoft, "MatMulNBits", MatMulNBits},
    {kMicrosoft, "Inverse", Inverse},
};

}  // namespace

std::span<const OpEntry> MatrixOps() { return kMatrixOps; }

}  // namespace tilewise::onnx
