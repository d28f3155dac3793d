// Ops whose shape is known and whose arithmetic is not in the graph: special
// functions and what is rare.

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"

namespace tilewise::tf {
namespace {

constexpr size_t kMostOpaqueResults = 4096;

// The shape and type of operand kOperand.
template <int kOperand>
absl::Status Like(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, TensorShapeOf(ctx, kOperand));
  return OpaqueResult(ctx, 0, shape);
}

// Parts of the rows by number: each may have all of them.
absl::Status DynamicPartition(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape data, TensorShapeOf(ctx, 0));
  TW_ASSIGN_OR_RETURN(const Shape parts, TensorShapeOf(ctx, 1));
  const int64_t count = ctx.Int("num_partitions", 1);
  if (parts.rank() > data.rank() || count < 1 || count > 1024) {
    return InvalidInput(fmt::format("found {} parts of {}", count, FormatShape(data)));
  }
  TW_ASSIGN_OR_RETURN(const Dim rows, ElementsOf(parts.dims));
  Shape part(data.dtype, {rows});
  part.dims.insert(part.dims.end(), data.dims.begin() + parts.rank(), data.dims.end());
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
  const auto types = AttrTypes(ctx.attrs(), "Tresults").value_or(std::vector<DataType>{});
  for (size_t i = 0; i < types.size() && i < kMostOpaqueResults; ++i) {
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

constexpr OpEntry kOpaqueOps[] = {
    {"AdjustHue", Like<0>},
    {"AdjustSaturation", Like<0>},
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
    {"HSVToRGB", Like<0>},
    {"Igamma", Like<1>},
    {"IgammaGradA", Like<1>},
    {"Igammac", Like<1>},
    {"Lgamma", Like<0>},
    {"MatrixExponential", Like<0>},
    {"MatrixLogarithm", Like<0>},
    {"MatrixSquareRoot", Like<0>},
    {"NextAfter", Like<0>},
    {"Polygamma", Like<1>},
    {"RGBToHSV", Like<0>},
    {"RaggedTensorToTensor", RaggedToDense},
    {"RandomGammaGrad", Like<1>},
    {"TPUExecute", TpuExecute},
    {"TPUExecuteAndUpdateVariables", TpuExecute},
    {"TridiagonalSolve", Like<1>},
    {"Zeta", Like<0>},
};

}  // namespace

std::span<const OpEntry> OpaqueOps() { return kOpaqueOps; }

}  // namespace tilewise::tf
