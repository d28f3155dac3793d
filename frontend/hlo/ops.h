// The translators of instructions, by group. What each makes: translation.h.

#pragma once

#include "frontend/hlo/translation.h"

namespace tilewise::hlo {

// Elementwise.
Value TranslateUnary(Translation& t, const Site& site);
Value TranslateBinary(Translation& t, const Site& site);
Value TranslateCompare(Translation& t, const Site& site);
Value TranslateSelect(Translation& t, const Site& site);
Value TranslateClamp(Translation& t, const Site& site);
Value TranslateConvert(Translation& t, const Site& site);
Value TranslateStochasticConvert(Translation& t, const Site& site);
Value TranslateReducePrecision(Translation& t, const Site& site);
Value TranslateMap(Translation& t, const Site& site);
// Functions that are written out in simpler ones: acos, sinh...
Value TranslateFunction(Translation& t, const Site& site);

// Leaves and movement of elements.
Value TranslateConstant(Translation& t, const Site& site);
Value TranslateIota(Translation& t, const Site& site);
Value TranslateBroadcast(Translation& t, const Site& site);
Value TranslateReshape(Translation& t, const Site& site);
Value TranslateBitcast(Translation& t, const Site& site);
Value TranslateBitcastConvert(Translation& t, const Site& site);
Value TranslateTranspose(Translation& t, const Site& site);
Value TranslateReverse(Translation& t, const Site& site);
Value TranslateSlice(Translation& t, const Site& site);
Value TranslatePad(Translation& t, const Site& site);
Value TranslateConcatenate(Translation& t, const Site& site);
Value TranslateDynamicSlice(Translation& t, const Site& site);
Value TranslateDynamicUpdateSlice(Translation& t, const Site& site);
Value TranslateCopy(Translation& t, const Site& site);
Value TranslateFirstOperand(Translation& t, const Site& site);
Value TranslateDimensionSize(Translation& t, const Site& site);

// Reductions, windows, order.
Value TranslateReduce(Translation& t, const Site& site);
Value TranslateReduceWindow(Translation& t, const Site& site);
Value TranslateSelectAndScatter(Translation& t, const Site& site);
Value TranslateSort(Translation& t, const Site& site);
Value TranslateTopK(Translation& t, const Site& site);

// Matrix unit.
Value TranslateDot(Translation& t, const Site& site);
Value TranslateRaggedDot(Translation& t, const Site& site);
Value TranslateScaledDot(Translation& t, const Site& site);
Value TranslateConvolution(Translation& t, const Site& site);

// Normalisation that is one instruction.
Value TranslateBatchNormTraining(Translation& t, const Site& site);
Value TranslateBatchNormInference(Translation& t, const Site& site);
Value TranslateBatchNormGrad(Translation& t, const Site& site);

// Indexed access, random numbers.
Value TranslateGather(Translation& t, const Site& site);
Value TranslateScatter(Translation& t, const Site& site);
Value TranslateRng(Translation& t, const Site& site);
Value TranslateRngBitGenerator(Translation& t, const Site& site);

// Tuples, calls, loops.
Value TranslateTuple(Translation& t, const Site& site);
Value TranslateGetTupleElement(Translation& t, const Site& site);
Value TranslateNothing(Translation& t, const Site& site);
Value TranslateBarrier(Translation& t, const Site& site);
Value TranslateCall(Translation& t, const Site& site);
Value TranslateFusion(Translation& t, const Site& site);
Value TranslateConditional(Translation& t, const Site& site);
Value TranslateWhile(Translation& t, const Site& site);

// The TopK that a slice `cut` of x is, where x is a sort; kNoOp when it is none.
OpId FirstOfSort(GraphBuilder& e, OpId x, const SliceDims& cut);

// These run between devices and to the host.
Value TranslateAllReduce(Translation& t, const Site& site);
Value TranslateAllGather(Translation& t, const Site& site);
Value TranslateReduceScatter(Translation& t, const Site& site);
Value TranslateAllToAll(Translation& t, const Site& site);
Value TranslateCollectivePermute(Translation& t, const Site& site);
Value TranslateDeviceId(Translation& t, const Site& site);
Value TranslateInfeed(Translation& t, const Site& site);
Value TranslateOutfeed(Translation& t, const Site& site);
Value TranslateReceive(Translation& t, const Site& site);

// Factorizations of matrices, Fourier transforms.
Value TranslateFft(Translation& t, const Site& site);
Value TranslateCholesky(Translation& t, const Site& site);
Value TranslateTriangularSolve(Translation& t, const Site& site);
Value TranslateQr(Translation& t, const Site& site);
Value TranslateLu(Translation& t, const Site& site);
Value TranslateEigh(Translation& t, const Site& site);
Value TranslateHouseholderProduct(Translation& t, const Site& site);

Value TranslateCustomCall(Translation& t, const Site& site);

}  // namespace tilewise::hlo
