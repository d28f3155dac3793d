// Batch and layer normalisation as what they are made of.

#include "graph/moments.h"
#include "sim/lowering/decompose/composite_op.h"
#include "sim/lowering/lowering_traits.h"

namespace tilewise {
namespace {

// normalized * scale + offset, where both run over `feature_dims`.
OpId ScaleAndOffset(const CompositeOp& parts, OpId normalized,
                    const std::vector<int64_t>& feature_dims) {
  GraphBuilder& b = parts.b;
  const auto others = OtherDims(parts.op.shape.rank(), feature_dims);
  const OpId scale = SpreadOver(b, parts.InF32(1), normalized, others);
  const OpId offset = SpreadOver(b, parts.InF32(2), normalized, others);
  const OpId scaled = b.Binary(OpKind::kMultiply, normalized, scale);
  return parts.Result(b.Binary(OpKind::kAdd, scaled, offset));
}

OpId BatchNormTraining(const CompositeOp& parts) {
  GraphBuilder& b = parts.b;
  const auto dims = OtherDims(parts.op.shape.rank(), parts.op.as<BatchNormAttrs>().dims);
  const OpId x = parts.InF32(0);
  const Moments moments = MomentsOf(b, x, dims, parts.op.as<BatchNormAttrs>().epsilon);
  return ScaleAndOffset(parts, Normalized(b, x, moments, dims), parts.op.as<BatchNormAttrs>().dims);
}

// Known statistics need one multiplication and one sum, as XLA's batch norm
// expander and tf.nn.batch_normalization have it: scale' = scale / deviation,
// offset' = offset - mean scale'.
OpId BatchNormInference(const CompositeOp& parts) {
  GraphBuilder& b = parts.b;
  const auto others = OtherDims(parts.op.shape.rank(), parts.op.as<BatchNormAttrs>().dims);
  const OpId x = parts.InF32(0);
  const OpId variance =
      b.BinaryScalar(OpKind::kAdd, parts.InF32(4), parts.op.as<BatchNormAttrs>().epsilon);
  const OpId scale = b.Binary(OpKind::kMultiply, b.Unary(OpKind::kRsqrt, variance), parts.InF32(1));
  const OpId shift = b.Binary(OpKind::kMultiply, parts.InF32(3), scale);
  const OpId offset = b.Binary(OpKind::kSubtract, parts.InF32(2), shift);
  const OpId scaled = b.Binary(OpKind::kMultiply, x, SpreadOver(b, scale, x, others));
  return parts.Result(b.Binary(OpKind::kAdd, scaled, SpreadOver(b, offset, x, others)));
}

OpId LayerNorm(const CompositeOp& parts) {
  const auto& attrs = parts.op.as<LayerNormAttrs>();
  GraphBuilder& b = parts.b;
  const std::vector<int64_t>& dims = attrs.dims;
  const OpId x = parts.InF32(0);
  const Moments moments = MomentsOf(b, x, dims, attrs.epsilon);
  return ScaleAndOffset(parts, Normalized(b, x, moments, dims), dims);
}

}  // namespace

constexpr LoweringTraits lowering_traits::kBatchNormTraining = {.decompose = BatchNormTraining};
constexpr LoweringTraits lowering_traits::kBatchNormInference = {.decompose = BatchNormInference};
constexpr LoweringTraits lowering_traits::kLayerNorm = {.decompose = LayerNorm};

}  // namespace tilewise
