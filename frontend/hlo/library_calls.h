// Custom calls that stand for instructions that XLA has: matmuls that a
// library of another backend computes, layers in one kernel, dynamic shapes of
// StableHLO.

#pragma once

#include "frontend/hlo/translation.h"

namespace tilewise::hlo {

// A dot with the dimension numbers and epilogue of its backend config.
Value TranslateLibraryDot(Translation& t, const Site& site);
// The last dim of the left with the one before the last of the right.
Value TranslateMatMul(Translation& t, const Site& site);
// A convolution or one of its gradients, window and dims being those of the
// forward convolution.
Value TranslateLibraryConvolution(Translation& t, const Site& site);

// q, k, v of [batch, length, heads, depth].
Value TranslateFusedAttention(Translation& t, const Site& site);
Value TranslateFusedAttentionGrad(Translation& t, const Site& site);

// Whether custom calls of that target are known; those of CHLO's functions have
// their names there.
bool KnowsCustomCall(std::string_view target);
bool IsFunction(std::string_view target);

Value TranslateEinsum(Translation& t, const Site& site);
Value TranslateIndexSelect(Translation& t, const Site& site);
Value TranslateSoftmax(Translation& t, const Site& site);
Value TranslateLogSoftmax(Translation& t, const Site& site);
Value TranslateLayerNorm(Translation& t, const Site& site);
Value TranslateGelu(Translation& t, const Site& site);
Value TranslateLikelihood(Translation& t, const Site& site);

Value TranslateDynamicBroadcast(Translation& t, const Site& site);
Value TranslateRealDynamicSlice(Translation& t, const Site& site);
// Memory that is only written.
Value TranslateBuffer(Translation& t, const Site& site);

}  // namespace tilewise::hlo
