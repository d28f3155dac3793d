// The gradient of each op kind: from the gradient of an op's result to the
// gradients of its operands. One function per kind, one file per family.

#pragma once

#include <vector>

#include "graph/graph_builder.h"

namespace tilewise {

// A loop's gradients are a loop of their own, from its last trip to its first.
inline LoopPlace GradientLoop(LoopPlace forward) {
  return {forward.id > 0 ? -forward.id : forward.id, forward.trips};
}

// What a gradient function sees. New ops go into `builder`, which already
// holds `op`, its operands and `dy`.
struct GradientCall {
  GraphBuilder& builder;
  const Op& op;  // a copy that stays valid while ops are added
  // The run that op's result is from, which may leave further results: with the
  // operands of the forward pass where the result was kept though these are
  // computed again.
  const Op& run;
  OpId dy;                          // of op's shape and type
  const std::vector<bool>& wanted;  // by op id: needs a gradient

  OpId operand(size_t i) const { return op.operands[i]; }
  Shape shape(size_t i) const { return builder.shape(op.operands[i]); }
  bool wants(size_t i) const {
    return wanted[static_cast<size_t>(op.operands[i])];
  }
};

// One gradient per operand, with the operand's shape and type; kNoOp where the
// operand wants none or its gradient is zero everywhere.
using Gradients = std::vector<OpId>;
using GradientFunction = Gradients (*)(const GradientCall&);

// Null when `op` has no gradient function: leaves, complex numbers, the
// gradients of windows, cells and attention themselves, products over a dim of
// a window, running maxima and minima, scatters that do not add or assign,
// reductions by a computation of the user's, row sums of flash attention.
GradientFunction FindGradient(const Op& op);

// Elementwise.
Gradients NoGradient(const GradientCall& call);  // flat functions
Gradients UnaryGradient(const GradientCall& call);
Gradients ConvertGradient(const GradientCall& call);
Gradients SumGradient(const GradientCall& call);      // add, subtract
Gradients ProductGradient(const GradientCall& call);  // multiply
Gradients QuotientGradient(const GradientCall& call);
Gradients PowerGradient(const GradientCall& call);
Gradients RemainderGradient(const GradientCall& call);
Gradients AngleGradient(const GradientCall& call);     // atan2
Gradients ExtremumGradient(const GradientCall& call);  // maximum, minimum
Gradients SelectGradient(const GradientCall& call);

// Data movement.
Gradients BroadcastGradient(const GradientCall& call);
Gradients ReshapeGradient(const GradientCall& call);
Gradients TransposeGradient(const GradientCall& call);
Gradients ReverseGradient(const GradientCall& call);
Gradients SliceGradient(const GradientCall& call);
Gradients PadGradient(const GradientCall& call);
Gradients ConcatenateGradient(const GradientCall& call);
Gradients CopyGradient(const GradientCall& call);
Gradients DynamicSliceGradient(const GradientCall& call);
Gradients DynamicUpdateSliceGradient(const GradientCall& call);
Gradients BarrierGradient(const GradientCall& call);

// Reductions and windows.
Gradients ReduceGradient(const GradientCall& call);
Gradients WindowMaxGradient(const GradientCall& call);
Gradients WindowMinGradient(const GradientCall& call);
Gradients WindowSumGradient(const GradientCall& call);
Gradients CumulativeSumGradient(const GradientCall& call);
Gradients CumulativeProductGradient(const GradientCall& call);
Gradients SortGradient(const GradientCall& call);
Gradients TopKGradient(const GradientCall& call);

// Matrix unit.
Gradients DotGradient(const GradientCall& call);
Gradients ConvolutionGradient(const GradientCall& call);
Gradients ConvInputGradGradient(const GradientCall& call);
Gradients ConvKernelGradGradient(const GradientCall& call);

// The rest.
Gradients GatherGradient(const GradientCall& call);
Gradients ScatterAddGradient(const GradientCall& call);
Gradients GatherSlicesGradient(const GradientCall& call);
Gradients AddSlicesGradient(const GradientCall& call);     // scatter-slices
Gradients AssignSlicesGradient(const GradientCall& call);  // scatter-slices
Gradients RecurrentGradient(const GradientCall& call);
Gradients AllReduceGradient(const GradientCall& call);
Gradients AllGatherGradient(const GradientCall& call);
Gradients ReduceScatterGradient(const GradientCall& call);
Gradients AllToAllGradient(const GradientCall& call);
Gradients CollectivePermuteGradient(const GradientCall& call);
Gradients AttentionGradient(const GradientCall& call);
Gradients FlashAttentionGradient(const GradientCall& call);
Gradients SoftmaxGradient(const GradientCall& call);
Gradients CrossEntropyGradient(const GradientCall& call);
Gradients BatchNormTrainingGradient(const GradientCall& call);
Gradients BatchNormInferenceGradient(const GradientCall& call);
Gradients LayerNormGradient(const GradientCall& call);
Gradients GeluGradient(const GradientCall& call);
Gradients OpaqueGradient(const GradientCall& call);

}  // namespace tilewise
