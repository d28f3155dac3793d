// Which gradient function each op kind has.

#include "graph/gradients/gradient.h"

namespace tilewise {
namespace {

GradientFunction ElementwiseGradient(OpKind kind) {
  switch (kind) {
    case OpKind::kSign:
    case OpKind::kFloor:
    case OpKind::kCeil:
    case OpKind::kRoundNearestEven:
    case OpKind::kRoundNearestAfz:
    case OpKind::kIsFinite:
    case OpKind::kNot:
    case OpKind::kPopcnt:
    case OpKind::kClz:
    case OpKind::kAnd:
    case OpKind::kOr:
    case OpKind::kXor:
    case OpKind::kShiftLeft:
    case OpKind::kShiftRightArithmetic:
    case OpKind::kShiftRightLogical:
    case OpKind::kCompare:
      return NoGradient;
    case OpKind::kReal:
    case OpKind::kImag:
    case OpKind::kComplex:
      return nullptr;
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
    case OpKind::kRemainder:
      return RemainderGradient;
    case OpKind::kAtan2:
      return AngleGradient;
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
    case OpKind::kBitcastConvert:
      return nullptr;
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

GradientFunction OfReduce(Reducer reducer) {
  switch (reducer) {
    case Reducer::kSum:
    case Reducer::kMax:
    case Reducer::kMin:
    case Reducer::kProduct:
      return ReduceGradient;
    default:
      return nullptr;
  }
}

GradientFunction WindowGradient(const Attributes& attrs) {
  if (attrs.reducer == Reducer::kSum) return WindowSumGradient;
  for (const WindowDim& dim : attrs.window) {
    if (dim.base_dilation != 1) return nullptr;
  }
  switch (attrs.reducer) {
    case Reducer::kMax:
      return WindowMaxGradient;
    case Reducer::kMin:
      return WindowMinGradient;
    default:
      return nullptr;
  }
}

GradientFunction CumulativeGradient(Reducer reducer) {
  switch (reducer) {
    case Reducer::kSum:
      return CumulativeSumGradient;
    case Reducer::kProduct:
      return CumulativeProductGradient;
    default:
      return nullptr;
  }
}

GradientFunction ScatterSlicesGradientOf(const Attributes& attrs) {
  if (attrs.assign) return AssignSlicesGradient;
  return attrs.reducer == Reducer::kSum ? AddSlicesGradient : nullptr;
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
  if (IsComplex(op.shape.dtype)) return nullptr;
  switch (op.kind) {
    case OpKind::kReduce:
      return OfReduce(op.attrs->reducer);
    case OpKind::kReduceWindow:
      return WindowGradient(op.attrs);
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
    case OpKind::kGatherSlices:
      return GatherSlicesGradient;
    case OpKind::kScatterSlices:
      return ScatterSlicesGradientOf(op.attrs);
    case OpKind::kArgReduce:
    case OpKind::kRngCategorical:
      return NoGradient;
    case OpKind::kRecurrent:
      return RecurrentGradient;
    case OpKind::kCumulative:
      return CumulativeGradient(op.attrs->reducer);
    case OpKind::kSort:
      return SortGradient;
    case OpKind::kTopK:
      return op.attrs->result == 0 ? TopKGradient : NoGradient;
    case OpKind::kFlashAttention:
      return op.attrs->result == 0 ? FlashAttentionGradient : nullptr;
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
