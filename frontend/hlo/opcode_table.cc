// Which translator each opcode has.

#include <array>

#include "frontend/hlo/ops.h"

namespace tilewise::hlo {
namespace {

struct Entry {
  Opcode opcode;
  Translator translator;
};

constexpr auto kEntries = std::to_array<Entry>({
    {Opcode::kAbs, TranslateUnary},
    {Opcode::kAcos, TranslateFunction},
    {Opcode::kAcosh, TranslateFunction},
    {Opcode::kAdd, TranslateBinary},
    {Opcode::kAddDependency, TranslateFirstOperand},
    {Opcode::kAfterAll, TranslateNothing},
    {Opcode::kAllGather, TranslateAllGather},
    {Opcode::kAllGatherDone, TranslateFirstOperand},
    {Opcode::kAllGatherStart, TranslateAllGather},
    {Opcode::kAllReduce, TranslateAllReduce},
    {Opcode::kAllReduceDone, TranslateFirstOperand},
    {Opcode::kAllReduceStart, TranslateAllReduce},
    {Opcode::kAllToAll, TranslateAllToAll},
    {Opcode::kAnd, TranslateBinary},
    {Opcode::kAsin, TranslateFunction},
    {Opcode::kAsinh, TranslateFunction},
    {Opcode::kAsyncDone, TranslateFirstOperand},
    {Opcode::kAsyncStart, TranslateCall},
    {Opcode::kAsyncUpdate, TranslateFirstOperand},
    {Opcode::kAtan, TranslateFunction},
    {Opcode::kAtan2, TranslateBinary},
    {Opcode::kAtanh, TranslateFunction},
    {Opcode::kBatchNormGrad, TranslateBatchNormGrad},
    {Opcode::kBatchNormInference, TranslateBatchNormInference},
    {Opcode::kBatchNormTraining, TranslateBatchNormTraining},
    {Opcode::kBitcast, TranslateBitcast},
    {Opcode::kBitcastConvert, TranslateBitcastConvert},
    {Opcode::kBroadcast, TranslateBroadcast},
    {Opcode::kCall, TranslateCall},
    {Opcode::kCbrt, TranslateUnary},
    {Opcode::kCeil, TranslateUnary},
    {Opcode::kCholesky, TranslateCholesky},
    {Opcode::kClamp, TranslateClamp},
    {Opcode::kCollectiveBroadcast, TranslateCollectivePermute},
    {Opcode::kCollectivePermute, TranslateCollectivePermute},
    {Opcode::kCollectivePermuteDone, TranslateFirstOperand},
    {Opcode::kCollectivePermuteStart, TranslateCollectivePermute},
    {Opcode::kCollectiveReduce, TranslateAllReduce},
    {Opcode::kCompare, TranslateCompare},
    {Opcode::kComplex, TranslateBinary},
    {Opcode::kConcatenate, TranslateConcatenate},
    {Opcode::kConditional, TranslateConditional},
    {Opcode::kConstant, TranslateConstant},
    {Opcode::kConvert, TranslateConvert},
    {Opcode::kConvolution, TranslateConvolution},
    {Opcode::kCopy, TranslateCopy},
    {Opcode::kCopyDone, TranslateFirstOperand},
    {Opcode::kCopyStart, TranslateCopy},
    {Opcode::kCosh, TranslateFunction},
    {Opcode::kCosine, TranslateUnary},
    {Opcode::kCountLeadingZeros, TranslateUnary},
    {Opcode::kCustomCall, TranslateCustomCall},
    {Opcode::kDivide, TranslateBinary},
    {Opcode::kDomain, TranslateFirstOperand},
    {Opcode::kDot, TranslateDot},
    {Opcode::kDynamicReshape, TranslateReshape},
    {Opcode::kDynamicSlice, TranslateDynamicSlice},
    {Opcode::kDynamicUpdateSlice, TranslateDynamicUpdateSlice},
    {Opcode::kErf, TranslateUnary},
    {Opcode::kExponential, TranslateUnary},
    {Opcode::kExponentialMinusOne, TranslateUnary},
    {Opcode::kFft, TranslateFft},
    {Opcode::kFloor, TranslateUnary},
    {Opcode::kFusion, TranslateFusion},
    {Opcode::kGather, TranslateGather},
    {Opcode::kGetDimensionSize, TranslateDimensionSize},
    {Opcode::kGetTupleElement, TranslateGetTupleElement},
    {Opcode::kImag, TranslateUnary},
    {Opcode::kInfeed, TranslateInfeed},
    {Opcode::kIota, TranslateIota},
    {Opcode::kIsFinite, TranslateUnary},
    {Opcode::kLog, TranslateUnary},
    {Opcode::kLogPlusOne, TranslateUnary},
    {Opcode::kLogistic, TranslateUnary},
    {Opcode::kMap, TranslateMap},
    {Opcode::kMaximum, TranslateBinary},
    {Opcode::kMinimum, TranslateBinary},
    {Opcode::kMulhi, TranslateFunction},
    {Opcode::kMultiply, TranslateBinary},
    {Opcode::kNegate, TranslateUnary},
    {Opcode::kNot, TranslateUnary},
    {Opcode::kOptBarrier, TranslateBarrier},
    {Opcode::kOr, TranslateBinary},
    {Opcode::kOutfeed, TranslateOutfeed},
    {Opcode::kPad, TranslatePad},
    {Opcode::kPartitionId, TranslateDeviceId},
    {Opcode::kPopcnt, TranslateUnary},
    {Opcode::kPower, TranslateBinary},
    {Opcode::kRaggedDot, TranslateRaggedDot},
    {Opcode::kReal, TranslateUnary},
    {Opcode::kRecv, TranslateReceive},
    {Opcode::kRecvDone, TranslateFirstOperand},
    {Opcode::kReduce, TranslateReduce},
    {Opcode::kReducePrecision, TranslateReducePrecision},
    {Opcode::kReduceScatter, TranslateReduceScatter},
    {Opcode::kReduceWindow, TranslateReduceWindow},
    {Opcode::kRemainder, TranslateBinary},
    {Opcode::kReplicaId, TranslateDeviceId},
    {Opcode::kReshape, TranslateReshape},
    {Opcode::kReverse, TranslateReverse},
    {Opcode::kRng, TranslateRng},
    {Opcode::kRngBitGenerator, TranslateRngBitGenerator},
    {Opcode::kRngGetAndUpdateState, TranslateRng},
    {Opcode::kRoundNearestAfz, TranslateUnary},
    {Opcode::kRoundNearestEven, TranslateUnary},
    {Opcode::kRsqrt, TranslateUnary},
    {Opcode::kScaledDot, TranslateScaledDot},
    {Opcode::kScatter, TranslateScatter},
    {Opcode::kSelect, TranslateSelect},
    {Opcode::kSelectAndScatter, TranslateSelectAndScatter},
    {Opcode::kSend, TranslateNothing},
    {Opcode::kSendDone, TranslateNothing},
    {Opcode::kSetDimensionSize, TranslateFirstOperand},
    {Opcode::kShiftLeft, TranslateBinary},
    {Opcode::kShiftRightArithmetic, TranslateBinary},
    {Opcode::kShiftRightLogical, TranslateBinary},
    {Opcode::kSign, TranslateUnary},
    {Opcode::kSine, TranslateUnary},
    {Opcode::kSinh, TranslateFunction},
    {Opcode::kSlice, TranslateSlice},
    {Opcode::kSort, TranslateSort},
    {Opcode::kSqrt, TranslateUnary},
    {Opcode::kStochasticConvert, TranslateConvert},
    {Opcode::kSubtract, TranslateBinary},
    {Opcode::kTan, TranslateUnary},
    {Opcode::kTanh, TranslateUnary},
    {Opcode::kTopk, TranslateTopK},
    {Opcode::kTranspose, TranslateTranspose},
    {Opcode::kTriangularSolve, TranslateTriangularSolve},
    {Opcode::kTuple, TranslateTuple},
    {Opcode::kWhile, TranslateWhile},
    {Opcode::kXor, TranslateBinary},
});

constexpr auto kTable = [] {
  std::array<Translator, static_cast<size_t>(Opcode::kUnknown) + 1> table{};
  for (const Entry& entry : kEntries) {
    table[static_cast<size_t>(entry.opcode)] = entry.translator;
  }
  return table;
}();

}  // namespace

Translator TranslatorFor(Opcode opcode) {
  return kTable[static_cast<size_t>(opcode)];
}

}  // namespace tilewise::hlo
