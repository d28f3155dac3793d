// Batch and layer normalisation. Their gradients are the fused formula
//   dx = factor (g - mean(g) - n mean(g n)),  n = (x - mean) / deviation,
// where the means run over the normalised dims. Statistics and sums are f32.

#include <algorithm>

#include <fmt/format.h>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/moments.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

ShapeOr BatchNormShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<BatchNormAttrs>();
  TW_RETURN_IF_ERROR(CheckReal(operands, 0));
  const Shape& x = *operands[0];
  TW_RETURN_IF_ERROR(CheckOneDim(attrs.dims, x, "take as features"));
  const Shape feature(x.dtype, {x.dims[attrs.dims[0]]});
  for (size_t i = 1; i < operands.size(); ++i) {
    TW_RETURN_IF_ERROR(CheckSame(operands, i, feature));
  }
  return x;
}

ShapeOr BatchNormTrainingShape(const Op& op, Shapes operands) {
  if (operands.size() == 3 || operands.size() == 5) {
    return BatchNormShape(op, operands);
  }
  return InvalidInput(fmt::format("found {} operands, expected 3 or 5", operands.size()));
}

ShapeOr LayerNormShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReal(operands, 0));
  const Shape& x = *operands[0];
  const std::vector<int64_t>& dims = op.as<LayerNormAttrs>().dims;
  TW_RETURN_IF_ERROR(CheckDims(dims, x.rank(), "dims"));
  if (dims.empty() || !std::is_sorted(dims.begin(), dims.end())) {
    return InvalidInput("expected one or more ascending dims to normalise");
  }
  Shape weights(x.dtype, {});
  for (const int64_t dim : dims) {
    weights.dims.push_back(x.dims[dim]);
  }
  TW_RETURN_IF_ERROR(CheckSame(operands, 1, weights));
  TW_RETURN_IF_ERROR(CheckSame(operands, 2, weights));
  return x;
}

OpId Scaled(GraphBuilder& b, OpId x, OpId y) { return b.Binary(OpKind::kMultiply, x, y); }

OpId InF32(const GradientCall& call, size_t operand) {
  return call.builder.Convert(call.operand(operand), DType::kF32);
}

struct Sums {
  OpId g = kNoOp;    // sum(g)
  OpId g_n = kNoOp;  // sum(g n)
};

Sums SumsOf(GraphBuilder& b, OpId g, OpId n, const std::vector<int64_t>& dims) {
  return {b.Reduce(Reducer::kSum, g, dims), b.Reduce(Reducer::kSum, Scaled(b, g, n), dims)};
}

// g - sums.g / size - n sums.g_n / size.
OpId Projected(GraphBuilder& b, OpId g, OpId n, const Sums& sums,
               const std::vector<int64_t>& dims) {
  const double weight = 1 / GroupSize(b.shape(g), dims);
  const OpId mean = b.BinaryScalar(OpKind::kMultiply, sums.g, weight);
  const OpId mean_n = b.BinaryScalar(OpKind::kMultiply, sums.g_n, weight);
  const OpId centered = b.Binary(OpKind::kSubtract, g, SpreadOver(b, mean, g, dims));
  return b.Binary(OpKind::kSubtract, centered, Scaled(b, n, SpreadOver(b, mean_n, g, dims)));
}

Gradients BatchNormTrainingGradient(const GradientCall& call) {
  const auto& attrs = call.op.as<BatchNormAttrs>();
  GraphBuilder& b = call.builder;
  const DType dtype = call.op.shape.dtype;
  const auto dims = OtherDims(call.op.shape.rank(), attrs.dims);
  const OpId x = InF32(call, 0);
  const OpId dy = b.Convert(call.dy, DType::kF32);
  const Moments moments = MomentsOf(b, x, dims, attrs.epsilon);
  const OpId n = Normalized(b, x, moments, dims);
  const Sums sums = SumsOf(b, dy, n, dims);
  Gradients result(call.op.operands.size(), kNoOp);
  if (call.wants(0)) {
    const OpId factor = Scaled(b, InF32(call, 1), moments.reciprocal_deviation);
    const OpId dx = Scaled(b, Projected(b, dy, n, sums, dims), SpreadOver(b, factor, x, dims));
    result[0] = b.Convert(dx, dtype);
  }
  if (call.wants(1)) result[1] = b.Convert(sums.g_n, dtype);
  if (call.wants(2)) result[2] = b.Convert(sums.g, dtype);
  return result;
}

Gradients BatchNormInferenceGradient(const GradientCall& call) {
  const auto& attrs = call.op.as<BatchNormAttrs>();
  GraphBuilder& b = call.builder;
  const DType dtype = call.op.shape.dtype;
  const auto dims = OtherDims(call.op.shape.rank(), attrs.dims);
  const OpId x = InF32(call, 0);
  const OpId dy = b.Convert(call.dy, DType::kF32);
  const OpId deviation =
      b.Unary(OpKind::kRsqrt, b.BinaryScalar(OpKind::kAdd, InF32(call, 4), attrs.epsilon));
  const Moments moments = {InF32(call, 3), deviation};
  const OpId factor = Scaled(b, InF32(call, 1), deviation);
  Gradients result(5, kNoOp);
  if (call.wants(0)) {
    result[0] = b.Convert(Scaled(b, dy, SpreadOver(b, factor, x, dims)), dtype);
  }
  const Sums sums = SumsOf(b, dy, Normalized(b, x, moments, dims), dims);
  if (call.wants(1)) result[1] = b.Convert(sums.g_n, dtype);
  if (call.wants(2)) result[2] = b.Convert(sums.g, dtype);
  if (call.wants(3)) {
    const OpId mean = Scaled(b, sums.g, b.Unary(OpKind::kNegate, factor));
    result[3] = b.Convert(mean, dtype);
  }
  if (call.wants(4)) {  // -factor sum(dy n) / (2 deviation)
    const OpId slope = Scaled(b, Scaled(b, sums.g_n, factor), deviation);
    result[4] = b.Convert(b.BinaryScalar(OpKind::kMultiply, slope, -0.5), dtype);
  }
  return result;
}

Gradients LayerNormGradient(const GradientCall& call) {
  const auto& attrs = call.op.as<LayerNormAttrs>();
  GraphBuilder& b = call.builder;
  const DType dtype = call.op.shape.dtype;
  const std::vector<int64_t>& dims = attrs.dims;
  const auto examples = OtherDims(call.op.shape.rank(), dims);
  const OpId x = InF32(call, 0);
  const OpId dy = b.Convert(call.dy, DType::kF32);
  const Moments moments = MomentsOf(b, x, dims, attrs.epsilon);
  const OpId n = Normalized(b, x, moments, dims);
  Gradients result(3, kNoOp);
  const Sums sums = SumsOf(b, dy, n, examples);
  if (call.wants(1)) result[1] = b.Convert(sums.g_n, dtype);
  if (call.wants(2)) result[2] = b.Convert(sums.g, dtype);
  if (call.wants(0)) {
    const OpId scale = SpreadOver(b, InF32(call, 1), x, examples);
    const OpId g = Scaled(b, dy, scale);
    const OpId projected = Projected(b, g, n, SumsOf(b, g, n, dims), dims);
    const OpId factor = SpreadOver(b, moments.reciprocal_deviation, x, dims);
    result[0] = b.Convert(Scaled(b, projected, factor), dtype);
  }
  return result;
}

template <typename Attrs>
void LinkNormalized(const LinkCall& call) {
  const std::vector<int64_t>& dims = call.op.as<Attrs>().dims;
  for (int64_t dim = 0; dim < call.rank(); ++dim) {
    call.links.AddResult(dim);
    call.links.Add(0, dim);
    const auto at = std::find(dims.begin(), dims.end(), dim);
    for (size_t i = 1; at != dims.end() && i < call.op.operands.size(); ++i) {
      call.links.Add(i, at - dims.begin());
    }
    call.links.Close();
  }
}

constexpr auto kBatchNormFields =
    FieldsOf<BatchNormAttrs, &BatchNormAttrs::dims, &BatchNormAttrs::epsilon,
             &BatchNormAttrs::momentum>("dims", "epsilon", "momentum");

constexpr auto kLayerNormFields =
    FieldsOf<LayerNormAttrs, &LayerNormAttrs::dims, &LayerNormAttrs::epsilon>("dims", "epsilon");

}  // namespace

// x, scale, offset[, moving mean, moving variance: variables that a training
// step updates with attrs.momentum]; feature dim attrs.dims[0], attrs.epsilon.
constexpr OpTraits op_traits::kBatchNormTraining = {.operands = OpTraits::kAtLeastOne,
                                                    .attributes = kBatchNormFields,
                                                    .shape = BatchNormTrainingShape,
                                                    .gradient = BatchNormTrainingGradient,
                                                    .links = LinkNormalized<BatchNormAttrs>};
constexpr OpTraits op_traits::kBatchNormInference = {.operands = 5,
                                                     .attributes = kBatchNormFields,
                                                     .shape = BatchNormShape,
                                                     .gradient = BatchNormInferenceGradient,
                                                     .links = LinkNormalized<BatchNormAttrs>};
constexpr OpTraits op_traits::kLayerNorm = {.operands = 3,
                                            .attributes = kLayerNormFields,
                                            .shape = LayerNormShape,
                                            .gradient = LayerNormGradient,
                                            .links = LinkNormalized<LayerNormAttrs>};

}  // namespace tilewise
