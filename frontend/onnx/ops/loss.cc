// Losses.

#include <numeric>

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "library/losses.h"
#include "library/normalizations.h"
#include "library/reductions.h"

namespace tilewise::onnx {
namespace {

// [n, classes, ..] -> [n, .., classes].
OpId ClassesLast(GraphBuilder& b, OpId x) {
  const int64_t rank = b.shape(x).rank();
  if (rank <= 2) return x;
  std::vector<int64_t> order = {0};
  for (int64_t dim = 2; dim < rank; ++dim) order.push_back(dim);
  order.push_back(1);
  return b.Transpose(x, std::move(order));
}

OpId Reduced(NodeContext& ctx, OpId loss, std::string_view reduction) {
  GraphBuilder& b = ctx.builder();
  if (reduction == "none" || !ctx.ok()) return loss;
  return ReduceOf(b, reduction == "sum" ? Reduction::kSum : Reduction::kMean, loss,
                  AllDims(b, loss), false);
}

OpId Weighted(NodeContext& ctx, OpId loss, OpId labels, size_t weights) {
  if (!ctx.Has(weights)) return loss;
  GraphBuilder& b = ctx.builder();
  return b.Binary(OpKind::kMultiply, loss, b.Gather(ctx.Input(weights), labels));
}

void SoftmaxCrossEntropyLoss(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId scores = ctx.Input(0);
  const OpId labels = b.Convert(ctx.Input(1), DType::kS32);
  if (!ctx.ok() || b.shape(scores).rank() < 2) {
    return ctx.Fail("found no [batch, classes] of scores");
  }
  OpId loss = b.SoftmaxCrossEntropy(ClassesLast(b, scores), labels);
  loss = Weighted(ctx, loss, labels, 2);
  ctx.Set(0, Reduced(ctx, loss, ctx.Text("reduction", "mean")));
  if (ctx.Wants(1)) ctx.Set(1, LogSoftmaxOf(b, scores, 1));
}

void NegativeLogLikelihoodLoss(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId scores = ctx.Input(0);
  const OpId labels = b.Convert(ctx.Input(1), DType::kS32);
  if (!ctx.ok() || b.shape(scores).rank() < 2) {
    return ctx.Fail("found no [batch, classes] of log probabilities");
  }
  OpId loss = NegativeLogLikelihood(b, ClassesLast(b, scores), labels);
  loss = Weighted(ctx, loss, labels, 2);
  ctx.Set(0, Reduced(ctx, loss, ctx.Text("reduction", "mean")));
}

constexpr OpEntry kLossOps[] = {
    {kStandard, "SoftmaxCrossEntropyLoss", SoftmaxCrossEntropyLoss},
    {kStandard, "NegativeLogLikelihoodLoss", NegativeLogLikelihoodLoss},
    {kMicrosoft, "SoftmaxCrossEntropyLossInternal", SoftmaxCrossEntropyLoss},
};

}  // namespace

std::span<const OpEntry> LossOps() { return kLossOps; }

}  // namespace tilewise::onnx
