// Gradients of attention. The reference form keeps the weights of the forward
// pass; the flash form keeps only statistics of each row of scores and computes
// the scores again (Dao et al., "FlashAttention", 2022).

#include "graph/attention.h"

#include "graph/gradients/gradient.h"
#include "graph/moments.h"

namespace tilewise {
namespace {

OpId MaskOf(const GradientCall& call) {
  return call.op.operands.size() > 3 ? call.operand(3) : kNoOp;
}

// Of the scores after scale and mask, f32: p (dp - sum(p dp)), and zero where
// the mask took the score's place.
OpId ScoresGradient(GraphBuilder& b, OpId weights, OpId dweights, OpId seen) {
  const OpId p = b.Convert(weights, DType::kF32);
  const OpId dp = b.Convert(dweights, DType::kF32);
  const std::vector<int64_t> keys = {b.shape(p).rank() - 1};
  const OpId sum =
      b.Reduce(Reducer::kSum, b.Binary(OpKind::kMultiply, p, dp), keys);
  const OpId dscores =
      b.Binary(OpKind::kMultiply, p,
               b.Binary(OpKind::kSubtract, dp, SpreadOver(b, sum, dp, keys)));
  if (seen == kNoOp) return dscores;
  return b.Select(seen, dscores, b.Constant(0, b.shape(dscores)));
}

Gradients ReferenceGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const Attributes& attrs = call.op.attrs;
  const int64_t passes = attrs.precision_passes;
  const AttentionOperands in = GroupHeads(b, call.operand(0), call.operand(1),
                                          call.operand(2), MaskOf(call));
  // The result's gradient in the dims of the queries.
  const OpId dy =
      GroupHeads(b, call.dy, call.operand(1), call.operand(2), kNoOp).q;
  const OpId weights = AttentionWeights(b, in, attrs);
  Gradients result(call.op.operands.size(), kNoOp);
  if (call.wants(2)) {
    result[2] = SumOverQueries(b, weights, dy, in.is_grouped, passes);
  }
  const bool wants_mask = result.size() > 3 && call.wants(3);
  if (!call.wants(0) && !call.wants(1) && !wants_mask) return result;
  const OpId dweights = SumOverDepth(b, dy, in.v, in.is_grouped, passes);
  const OpId dscores =
      ScoresGradient(b, weights, dweights, SeenKeys(b, in, attrs));
  if (wants_mask) result[3] = ScoresToMask(b, dscores, in, call.shape(3));
  const OpId scaled =
      b.Convert(b.BinaryScalar(OpKind::kMultiply, dscores, attrs.scale),
                call.op.shape.dtype);
  if (call.wants(0)) {
    result[0] = SumOverKeys(b, scaled, in.k, in.is_grouped, passes);
  }
  if (call.wants(1)) {
    result[1] = SumOverQueries(b, scaled, in.q, in.is_grouped, passes);
  }
  return result;
}

// A further result of the forward kernel's run, in whose phase and loop the
// builder then is, until ReturnToGradient.
OpId Statistic(const GradientCall& call, int64_t number) {
  call.builder.SetPhase(call.run.phase);
  call.builder.SetLoop(call.run.loop);
  return call.builder.FlashAttention(call.run.operands, call.run.attrs, number);
}

void ReturnToGradient(const GradientCall& call) {
  call.builder.SetPhase(Phase::kBackward);
  call.builder.SetLoop(GradientLoop(call.run.loop));
}

// Of the public kernel without a bias (JAX, Pallas, splash_attention): one
// number a row.
std::vector<OpId> PlainOperands(const GradientCall& call) {
  const OpId rows = Statistic(call, 1);
  ReturnToGradient(call);
  return {call.operand(0), call.operand(1), call.operand(2), call.op.id, rows,
          call.dy};
}

// [N,queries,heads] in each of so many lanes, in memory.
OpId Spread(GraphBuilder& b, OpId rows, int64_t lanes) {
  std::vector<Dim> dims = b.shape(rows).dims;
  dims.push_back({lanes, false});
  return b.Copy(b.Broadcast(rows, std::move(dims), {0, 1, 2}));
}

// One lane of a statistic that the forward kernel wrote to all, in all again.
OpId KeptStatistic(const GradientCall& call, int64_t number) {
  GraphBuilder& b = call.builder;
  const OpId all = Statistic(call, number);
  std::vector<Dim> dims = b.shape(all).dims;
  dims.pop_back();
  const OpId one = b.Reshape(b.SliceDim(all, 3, 0, 1), std::move(dims));
  ReturnToGradient(call);
  return Spread(b, one, kStatisticLanes);
}

// Of the public kernel with a bias (JAX, Pallas, flash_attention): numbers of a
// row are read from all lanes, which XLA fills before the kernels run; the sum
// of output x doutput once for each sweep, for one of them as wide as a block.
std::vector<OpId> MaskedOperands(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId sum = KeptStatistic(call, 2);
  const OpId maximum = KeptStatistic(call, 3);
  const OpId product =
      b.Binary(OpKind::kMultiply, b.Convert(call.op.id, DType::kF32),
               b.Convert(call.dy, DType::kF32));
  const OpId dots = b.Reduce(Reducer::kSum, product, {3});
  const int64_t block =
      AttentionKeyBlock(b.shape(call.operand(1)).dims[1].factor);
  return {call.operand(0),
          call.operand(1),
          call.operand(2),
          sum,
          maximum,
          call.dy,
          MaskOf(call),
          Spread(b, dots, kStatisticLanes),
          Spread(b, dots, block)};
}

Gradients FlashGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const Attributes& attrs = call.op.attrs;
  Gradients result(call.op.operands.size(), kNoOp);
  if (result.size() > 3 && call.wants(3)) {
    b.Fail(
        "found a trained mask of flash attention, expected one that needs no "
        "gradient, or attention without flash");
    return result;
  }
  const std::vector<OpId> operands =
      MaskOf(call) == kNoOp ? PlainOperands(call) : MaskedOperands(call);
  for (size_t i = 0; i < 3; ++i) {
    if (!call.wants(i)) continue;
    result[i] = b.FlashAttentionGrad(operands, attrs, static_cast<int64_t>(i));
  }
  return result;
}

}  // namespace

Gradients AttentionGradient(const GradientCall& call) {
  return call.op.attrs->flash ? FlashGradient(call) : ReferenceGradient(call);
}

Gradients FlashAttentionGradient(const GradientCall& call) {
  TW_CHECK(call.op.attrs->result == 0);
  return FlashGradient(call);
}

}  // namespace tilewise
