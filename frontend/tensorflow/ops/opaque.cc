// Ops whose shape is known and whose arithmetic is not in the graph: Fourier
// transforms and decompositions of matrices that only the compiler for TPUs
// knows how to lower, special functions.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"

namespace tilewise::tf {
namespace {

constexpr size_t kMostResults = 4096;

// The shape and type of operand kOperand.
template <int kOperand>
absl::Status Like(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, TensorShapeOf(ctx, kOperand));
  return OpaqueResult(ctx, 0, shape);
}

absl::StatusOr<Shape> Matrices(const OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, TensorShapeOf(ctx, 0));
  if (shape.rank() >= 2) return shape;
  return InvalidInput(
      fmt::format("found {}, expected matrices", FormatShape(shape)));
}

absl::Status Determinant(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(Shape shape, Matrices(ctx));
  shape.dims.resize(shape.dims.size() - 2);
  TW_RETURN_IF_ERROR(OpaqueResult(ctx, 0, shape));
  if (ctx.op() == "LogMatrixDeterminant") return OpaqueResult(ctx, 1, shape);
  return absl::OkStatus();
}

// Singular values and, asked for, the vectors of both sides.
absl::Status Svd(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, Matrices(ctx));
  const size_t rank = shape.dims.size();
  const Dim rows = shape.dims[rank - 2], columns = shape.dims[rank - 1];
  if (rows.per_batch || columns.per_batch) {
    return InvalidInput("a matrix as large as the batch");
  }
  const bool full = ctx.Bool("full_matrices", false);
  const Dim inner = {std::min(rows.factor, columns.factor), false};
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

// Eigenvalues and vectors of square matrices.
absl::Status SelfAdjointEig(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, Matrices(ctx));
  Shape values = shape;
  values.dims.pop_back();
  TW_RETURN_IF_ERROR(OpaqueResult(ctx, 0, values));
  return OpaqueResult(ctx, 1, shape);
}

// Of real numbers half of the spectrum; back from it, all of them. Operand 1:
// the length of the transformed dims.
template <bool kInverse>
absl::Status RealFourier(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(Shape shape, TensorShapeOf(ctx, 0));
  TW_ASSIGN_OR_RETURN(const auto lengths, KnownList(ctx, 1, "fft_length"));
  if (lengths.empty() || lengths.size() > shape.dims.size()) {
    return InvalidInput("found more lengths than dims");
  }
  const size_t first = shape.dims.size() - lengths.size();
  for (size_t i = 0; i < lengths.size(); ++i) {
    shape.dims[first + i] = {lengths[i], false};
  }
  if (!kInverse) shape.dims.back().factor = lengths.back() / 2 + 1;
  shape.dtype = kInverse ? TypeOr(ctx, "Treal", DType::kF32)
                         : TypeOr(ctx, "Tcomplex", DType::kC64);
  return OpaqueResult(ctx, 0, shape);
}

// Parts of the rows by number: each may have all of them.
absl::Status DynamicPartition(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape data, TensorShapeOf(ctx, 0));
  TW_ASSIGN_OR_RETURN(const Shape parts, TensorShapeOf(ctx, 1));
  const int64_t count = ctx.Int("num_partitions", 1);
  if (parts.rank() > data.rank() || count < 1 || count > 1024) {
    return InvalidInput(
        fmt::format("found {} parts of {}", count, FormatShape(data)));
  }
  TW_ASSIGN_OR_RETURN(const Dim rows, ElementsOf(parts.dims));
  Shape part(data.dtype, {rows});
  part.dims.insert(part.dims.end(), data.dims.begin() + parts.rank(),
                   data.dims.end());
  for (int64_t i = 0; i < count; ++i) {
    TW_RETURN_IF_ERROR(OpaqueResult(ctx, i, part));
  }
  ctx.Note("RD002",
           "how many rows each part has is data: all of them are "
           "taken");
  return absl::OkStatus();
}

// Loss of each example and the gradient of the logits.
absl::Status CtcLoss(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape logits, TensorShapeOf(ctx, 0));
  if (logits.rank() != 3) return InvalidInput("the logits have no rank 3");
  TW_RETURN_IF_ERROR(OpaqueResult(ctx, 0, {logits.dtype, {logits.dims[1]}}));
  return OpaqueResult(ctx, 1, logits);
}

// A compiled program: what it does is in the key, not in the graph.
absl::Status TpuExecute(OpContext& ctx) {
  const auto types =
      AttrTypes(ctx.attrs(), "Tresults").value_or(std::vector<DataType>{});
  for (size_t i = 0; i < types.size() && i < kMostResults; ++i) {
    const auto result = static_cast<int64_t>(i);
    const std::optional<DType> type = ToDType(types[i]);
    if (!type) continue;
    const auto shape = ctx.RecordedShape(result, *type);
    if (!shape) return InvalidInput("the shape of a result is not in the file");
    TW_RETURN_IF_ERROR(OpaqueResult(ctx, result, *shape));
  }
  return absl::OkStatus();
}

// Gradients, boxes, their images, the size of the images.
absl::Status CropAndResizeGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto dims, KnownSizes(ctx, 3, "image_size"));
  return OpaqueResult(ctx, 0, {TypeOr(ctx, "T", DType::kF32), dims});
}

// Rows of different lengths, filled up to the shape that operand 0 states.
absl::Status RaggedToDense(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape values, TensorShapeOf(ctx, 1));
  if (const auto recorded = ctx.RecordedShape(0, values.dtype)) {
    return OpaqueResult(ctx, 0, *recorded);
  }
  TW_ASSIGN_OR_RETURN(const auto dims, KnownSizes(ctx, 0, "shape"));
  return OpaqueResult(ctx, 0, {values.dtype, dims});
}

constexpr OpEntry kEntries[] = {
    {"AdjustHue", Like<0>},
    {"AdjustSaturation", Like<0>},
    {"BatchFFT", Like<0>},
    {"BatchIFFT", Like<0>},
    {"BatchMatrixInverse", Like<0>},
    {"BatchMatrixSolve", Like<1>},
    {"BesselI0", Like<0>},
    {"BesselI0e", Like<0>},
    {"BesselI1", Like<0>},
    {"BesselI1e", Like<0>},
    {"Betainc", Like<2>},
    {"CTCLoss", CtcLoss},
    {"CholeskyGrad", Like<0>},
    {"CTCLossV2", CtcLoss},
    {"CropAndResizeGradBoxes", Like<2>},
    {"CropAndResizeGradImage", CropAndResizeGrad},
    {"Digamma", Like<0>},
    {"DrawBoundingBoxes", Like<0>},
    {"DrawBoundingBoxesV2", Like<0>},
    {"DynamicPartition", DynamicPartition},
    {"FFT", Like<0>},
    {"FFT2D", Like<0>},
    {"FFT3D", Like<0>},
    {"HSVToRGB", Like<0>},
    {"IFFT", Like<0>},
    {"IFFT2D", Like<0>},
    {"IFFT3D", Like<0>},
    {"IRFFT", RealFourier<true>},
    {"IRFFT2D", RealFourier<true>},
    {"IRFFT3D", RealFourier<true>},
    {"Igamma", Like<1>},
    {"IgammaGradA", Like<1>},
    {"Igammac", Like<1>},
    {"Lgamma", Like<0>},
    {"LogMatrixDeterminant", Determinant},
    {"MatrixDeterminant", Determinant},
    {"MatrixExponential", Like<0>},
    {"MatrixInverse", Like<0>},
    {"MatrixLogarithm", Like<0>},
    {"MatrixSolve", Like<1>},
    {"MatrixSquareRoot", Like<0>},
    {"NextAfter", Like<0>},
    {"Polygamma", Like<1>},
    {"RFFT", RealFourier<false>},
    {"RFFT2D", RealFourier<false>},
    {"RFFT3D", RealFourier<false>},
    {"RGBToHSV", Like<0>},
    {"RaggedTensorToTensor", RaggedToDense},
    {"RandomGammaGrad", Like<1>},
    {"SelfAdjointEigV2", SelfAdjointEig},
    {"Svd", Svd},
    {"TPUExecute", TpuExecute},
    {"TPUExecuteAndUpdateVariables", TpuExecute},
    {"TridiagonalSolve", Like<1>},
    {"XlaSelfAdjointEig", SelfAdjointEig},
    {"Zeta", Like<0>},
};

}  // namespace

std::span<const OpEntry> OpaqueOps() { return kEntries; }

}  // namespace tilewise::tf
