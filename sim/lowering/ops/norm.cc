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

OpId BatchNorm(const CompositeOp& parts) {
  const auto& attrs = parts.op.as<BatchNormAttrs>();
  GraphBuilder& b = parts.b;
  const auto dims = OtherDims(parts.op.shape.rank(), attrs.dims);
  const double epsilon = attrs.epsilon;
  const OpId x = parts.InF32(0);
  Moments moments;
  if (parts.op.kind == OpKind::kBatchNormTraining) {
    moments = MomentsOf(b, x, dims, epsilon);
  } else {
    const OpId variance = parts.InF32(4);
    moments = {parts.InF32(3),
               b.Unary(OpKind::kRsqrt, b.BinaryScalar(OpKind::kAdd, variance, epsilon))};
  }
  return ScaleAndOffset(parts, Normalized(b, x, moments, dims), attrs.dims);
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

constexpr LoweringTraits lowering_traits::kBatchNormTraining = {.decompose = BatchNorm};
constexpr LoweringTraits lowering_traits::kBatchNormInference = {.decompose = BatchNorm};
constexpr LoweringTraits lowering_traits::kLayerNorm = {.decompose = LayerNorm};

}  // namespace tilewise
