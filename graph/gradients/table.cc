// Which gradient function each op kind has.

#include "graph/gradients/gradient.h"

namespace tilewise {
namespace {

GradientFunction ElementwiseGradient(OpKind kind) {
  switch (kind) {
    case OpKind::kSign:
    case OpKind::kFloor:
    case OpKind::kNot:
    case OpKind::kAnd:
    case OpKind::kOr:
    case OpKind::kCompare:
      return NoGradient;
    case OpKind::kConvert:
      return ConvertGradient;
    case OpKind::kAdd:
    case OpKind::kSubtract:
      return SumGradient;
    case OpKind::kMultiply:
      return ProductGradient;
    case OpKind::kDivide:
      return QuotientGradient;
    case OpKind::kPower:
      return PowerGradient;
    case OpKind::kMaximum:
    case OpKind::kMinimum:
      return ExtremumGradient;
    case OpKind::kSelect:
      return SelectGradient;
    default:
      return UnaryGradient;
  }
}

GradientFunction DataGradient(OpKind kind) {
  switch (kind) {
    case OpKind::kBroadcast:
      return BroadcastGradient;
    case OpKind::kReshape:
      return ReshapeGradient;
    case OpKind::kTranspose:
      return TransposeGradient;
    case OpKind::kReverse:
      return ReverseGradient;
    case OpKind::kSlice:
      return SliceGradient;
    case OpKind::kPad:
      return PadGradient;
    case OpKind::kConcatenate:
      return ConcatenateGradient;
    case OpKind::kDynamicSlice:
      return DynamicSliceGradient;
    case OpKind::kDynamicUpdateSlice:
      return DynamicUpdateSliceGradient;
    case OpKind::kBarrier:
      return BarrierGradient;
    default:
      return CopyGradient;
  }
}

GradientFunction WindowGradient(Reducer reducer) {
  switch (reducer) {
    case Reducer::kSum:
      return WindowSumGradient;
    case Reducer::kMax:
      return WindowMaxGradient;
    case Reducer::kMin:
      return WindowMinGradient;
    case Reducer::kProduct:
      return nullptr;
  }
  return nullptr;
}

GradientFunction CumulativeGradient(Reducer reducer) {
  switch (reducer) {
    case Reducer::kSum:
      return CumulativeSumGradient;
    case Reducer::kProduct:
      return CumulativeProductGradient;
    case Reducer::kMax:
    case Reducer::kMin:
      return nullptr;
  }
  return nullptr;
}

GradientFunction CollectiveGradient(OpKind kind) {
  switch (kind) {
    case OpKind::kAllGather:
      return AllGatherGradient;
    case OpKind::kReduceScatter:
      return ReduceScatterGradient;
    case OpKind::kAllToAll:
      return AllToAllGradient;
    case OpKind::kCollectivePermute:
      return CollectivePermuteGradient;
    default:
      return AllReduceGradient;
  }
}

GradientFunction CompositeGradient(OpKind kind) {
  switch (kind) {
    case OpKind::kSoftmax:
      return SoftmaxGradient;
    case OpKind::kSoftmaxCrossEntropy:
      return CrossEntropyGradient;
    case OpKind::kBatchNormTraining:
      return BatchNormTrainingGradient;
    case OpKind::kBatchNormInference:
      return BatchNormInferenceGradient;
    case OpKind::kLayerNorm:
      return LayerNormGradient;
    case OpKind::kAttention:
      return AttentionGradient;
    default:
      return GeluGradient;
  }
}

}  // namespace

GradientFunction FindGradient(const Op& op) {
  switch (op.kind) {
    case OpKind::kReduce:
      return ReduceGradient;
    case OpKind::kReduceWindow:
      return WindowGradient(op.attrs.reducer);
    case OpKind::kDot:
      return DotGradient;
    case OpKind::kConvolution:
      return ConvolutionGradient;
    case OpKind::kConvInputGrad:
      return ConvInputGradGradient;
    case OpKind::kConvKernelGrad:
      return ConvKernelGradGradient;
    case OpKind::kGather:
      return GatherGradient;
    case OpKind::kScatterAdd:
      return ScatterAddGradient;
    case OpKind::kRngCategorical:
      return NoGradient;
    case OpKind::kRecurrent:
      return RecurrentGradient;
    case OpKind::kCumulative:
      return CumulativeGradient(op.attrs.reducer);
    case OpKind::kSort:
      return SortGradient;
    case OpKind::kTopK:
      return op.attrs.result == 0 ? TopKGradient : NoGradient;
    case OpKind::kFlashAttention:
      return op.attrs.result == 0 ? FlashAttentionGradient : nullptr;
    case OpKind::kOpaque:
      return OpaqueGradient;
    default:
      break;
  }
  switch (ClassOf(op.kind)) {
    case OpClass::kElementwise:
      return ElementwiseGradient(op.kind);
    case OpClass::kData:
      return DataGradient(op.kind);
    case OpClass::kComposite:
      return CompositeGradient(op.kind);
    case OpClass::kCollective:
      return CollectiveGradient(op.kind);
    default:
      return nullptr;
  }
}

}  // namespace tilewise
