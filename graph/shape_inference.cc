// Which shape rule and how many operands each op kind has.

#include "graph/shape_inference.h"

#include <fmt/format.h>

#include "graph/shape_rules.h"

namespace tilewise {
namespace {

constexpr int kAny = -1;  // operands: any number
constexpr int kAtLeastOne = -2;

struct KindRule {
  int operands;
  ShapeRule rule;
};

KindRule ElementwiseRule(OpKind kind) {
  switch (kind) {
    case OpKind::kNegate:
    case OpKind::kSign:
      return {1, SameShape};
    case OpKind::kAbs:
      return {1, MagnitudeShape};
    case OpKind::kReal:
    case OpKind::kImag:
      return {1, PartShape};
    case OpKind::kComplex:
      return {2, ComplexShape};
    case OpKind::kFloor:
    case OpKind::kCeil:
    case OpKind::kRoundNearestEven:
    case OpKind::kRoundNearestAfz:
    case OpKind::kErf:
      return {1, SameRealShape};
    case OpKind::kIsFinite:
      return {1, IsFiniteShape};
    case OpKind::kNot:
      return {1, SameBitsShape};
    case OpKind::kPopcnt:
    case OpKind::kClz:
      return {1, SameIntegerShape};
    case OpKind::kConvert:
      return {1, ConvertShape};
    case OpKind::kAdd:
    case OpKind::kSubtract:
    case OpKind::kMultiply:
    case OpKind::kDivide:
    case OpKind::kMaximum:
    case OpKind::kMinimum:
    case OpKind::kPower:
    case OpKind::kRemainder:
      return {2, SameShape};
    case OpKind::kAtan2:
      return {2, SameFloatShape};
    case OpKind::kAnd:
    case OpKind::kOr:
    case OpKind::kXor:
      return {2, SameBitsShape};
    case OpKind::kShiftLeft:
    case OpKind::kShiftRightArithmetic:
    case OpKind::kShiftRightLogical:
      return {2, SameIntegerShape};
    case OpKind::kCompare:
      return {2, CompareShape};
    case OpKind::kSelect:
      return {3, SelectShape};
    default:  // the transcendental functions and their kin
      return {1, SameFloatShape};
  }
}

KindRule DataRule(OpKind kind) {
  switch (kind) {
    case OpKind::kBroadcast:
      return {1, BroadcastShape};
    case OpKind::kReshape:
      return {1, ReshapeShape};
    case OpKind::kBitcastConvert:
      return {1, BitcastConvertShape};
    case OpKind::kTranspose:
      return {1, TransposeShape};
    case OpKind::kReverse:
      return {1, ReverseShape};
    case OpKind::kSlice:
      return {1, SliceShape};
    case OpKind::kPad:
      return {2, PadShape};
    case OpKind::kConcatenate:
      return {kAtLeastOne, ConcatenateShape};
    case OpKind::kDynamicSlice:
      return {kAtLeastOne, DynamicSliceShape};
    case OpKind::kDynamicUpdateSlice:
      return {kAtLeastOne, DynamicUpdateSliceShape};
    case OpKind::kBarrier:
      return {kAtLeastOne, BarrierShape};
    default:
      return {1, SameShape};  // copy
  }
}

KindRule CompositeRule(OpKind kind) {
  switch (kind) {
    case OpKind::kSoftmax:
      return {1, SoftmaxShape};
    case OpKind::kSoftmaxCrossEntropy:
      return {2, CrossEntropyShape};
    case OpKind::kBatchNormTraining:
      return {kAtLeastOne, BatchNormTrainingShape};
    case OpKind::kBatchNormInference:
      return {5, BatchNormShape};
    case OpKind::kLayerNorm:
      return {3, LayerNormShape};
    case OpKind::kAttention:
      return {kAtLeastOne, AttentionShape};
    default:
      return {1, SameRealShape};  // gelu
  }
}

KindRule CollectiveRule(OpKind kind) {
  switch (kind) {
    case OpKind::kAllGather:
      return {1, AllGatherShape};
    case OpKind::kReduceScatter:
      return {1, ReduceScatterShape};
    case OpKind::kAllToAll:
      return {1, AllToAllShape};
    case OpKind::kCollectivePermute:
      return {1, CollectivePermuteShape};
    default:
      return {1, AllReduceShape};
  }
}

KindRule RuleOf(OpKind kind) {
  switch (kind) {
    case OpKind::kVariable:
      return {0, VariableShape};
    case OpKind::kIota:
      return {0, IotaShape};
    case OpKind::kReduce:
      return {1, ReduceShape};
    case OpKind::kArgReduce:
      return {1, ArgReduceShape};
    case OpKind::kReduceWindow:
      return {1, ReduceWindowShape};
    case OpKind::kSelectAndScatter:
      return {2, SelectAndScatterShape};
    case OpKind::kDot:
      return {2, DotShape};
    case OpKind::kConvolution:
      return {2, ConvolutionShape};
    case OpKind::kConvInputGrad:
      return {2, ConvInputGradShape};
    case OpKind::kConvKernelGrad:
      return {2, ConvKernelGradShape};
    case OpKind::kGather:
      return {2, GatherShape};
    case OpKind::kScatterAdd:
      return {2, ScatterAddShape};
    case OpKind::kGatherSlices:
      return {2, GatherSlicesShape};
    case OpKind::kScatterSlices:
      return {3, ScatterSlicesShape};
    case OpKind::kRngBits:
      return {0, GivenBitsShape};
    case OpKind::kRngUniform:
    case OpKind::kRngNormal:
      return {0, GivenFloatShape};
    case OpKind::kRngCategorical:
      return {1, RngCategoricalShape};
    case OpKind::kRecurrent:
      return {2, RecurrentShape};
    case OpKind::kRecurrentGrad:
      return {4, RecurrentGradShape};
    case OpKind::kCumulative:
      return {1, CumulativeShape};
    case OpKind::kSort:
      return {kAtLeastOne, SortShape};
    case OpKind::kTopK:
      return {1, TopKShape};
    case OpKind::kCopyToHost:
      return {1, SameShape};
    case OpKind::kCopyFromHost:
      return {kAtLeastOne, BarrierShape};
    case OpKind::kFlashAttention:
      return {kAtLeastOne, FlashAttentionShape};
    case OpKind::kFlashAttentionGrad:
      return {kAtLeastOne, FlashAttentionGradShape};
    case OpKind::kOpaque:
      return {kAny, GivenShape};
    default:
      break;
  }
  switch (ClassOf(kind)) {
    case OpClass::kElementwise:
      return ElementwiseRule(kind);
    case OpClass::kData:
      return DataRule(kind);
    case OpClass::kComposite:
      return CompositeRule(kind);
    case OpClass::kCollective:
      return CollectiveRule(kind);
    default:
      return {0, GivenShape};  // parameter, constant
  }
}

absl::Status CheckOperandCount(int expected, size_t found) {
  if (expected == kAny || (expected == kAtLeastOne && found > 0)) {
    return absl::OkStatus();
  }
  if (expected == kAtLeastOne) {
    return InvalidInput("found no operands, expected at least 1");
  }
  if (found == static_cast<size_t>(expected)) return absl::OkStatus();
  return InvalidInput(
      fmt::format("found {} operands, expected {}", found, expected));
}

}  // namespace

absl::StatusOr<Shape> InferShape(const Op& op,
                                 std::span<const Shape* const> operands) {
  const KindRule kind = RuleOf(op.kind);
  TW_RETURN_IF_ERROR(CheckOperandCount(kind.operands, operands.size()));
  TW_ASSIGN_OR_RETURN(Shape shape, kind.rule(op, operands));
  TW_RETURN_IF_ERROR(CheckSizes(shape));
  return shape;
}

}  // namespace tilewise
