// Normalisations, softmaxes and dropout.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "library/activations.h"
#include "library/broadcast.h"
#include "library/normalizations.h"
#include "library/random.h"
#include "library/reductions.h"

namespace tilewise::onnx {
namespace {

// It works along one dim from version 13 on, over all dims from it on before.
template <OpId (*kOver)(GraphBuilder&, OpId, int64_t)>
void Softmaxed(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId x = ctx.Input(0);
  if (!ctx.ok()) return;
  const bool one_dim = ctx.opset() >= 13 || b.shape(x).rank() == 0;
  const int64_t axis = ctx.Int("axis", one_dim ? -1 : 1);
  ctx.Set(0, one_dim ? kOver(b, x, axis) : OverTrailingDims(b, x, axis, kOver));
}

// mean * momentum + batch mean * (1 - momentum).
OpId Moved(NodeContext& ctx, OpId moving, OpId batch, double momentum) {
  GraphBuilder& b = ctx.builder();
  const OpId fresh =
      WithScalar(b, OpKind::kMultiply, b.Convert(batch, b.shape(moving).dtype), 1 - momentum);
  return b.Binary(OpKind::kAdd, WithScalar(b, OpKind::kMultiply, moving, momentum), fresh);
}

void BatchNormalization(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId x = ctx.Input(0);
  BatchNormInputs inputs{ctx.Input(1), ctx.Input(2), ctx.Input(3), ctx.Input(4)};
  const double momentum = ctx.Float("momentum", 0.9);
  // Version 14 has an attribute; before 7, "is_test" says the opposite; in
  // between, the number of results does.
  const bool in_file = ctx.opset() >= 14 ? ctx.Int("training_mode", 0) != 0
                       : ctx.opset() < 7 ? ctx.Int("is_test", 0) == 0 && ctx.Wants(1)
                                         : ctx.Wants(1);
  const bool training = in_file || ctx.training();
  const OpId y = BatchNormOf(b, x, inputs, 1, ctx.Float("epsilon", 1e-5), training, momentum);
  ctx.Set(0, y);
  if (!ctx.Wants(1) || !ctx.ok()) return;
  std::vector<int64_t> dims;
  for (int64_t dim = 0; dim < b.shape(x).rank(); ++dim) {
    if (dim != 1) dims.push_back(dim);
  }
  const MeanAndVariance moments = MeanAndVarianceOf(b, x, dims);
  if (!ctx.ok()) return;
  const std::vector<Dim> features = b.shape(inputs.mean).dims;
  const OpId mean = b.Reshape(moments.mean, features);
  const OpId variance = b.Reshape(moments.variance, features);
  ctx.Set(1, Moved(ctx, inputs.mean, mean, momentum));
  if (ctx.Wants(2)) {
    ctx.Set(2, Moved(ctx, inputs.variance, variance, momentum));
  }
  if (ctx.Wants(3)) ctx.Set(3, mean);
  if (ctx.Wants(4)) ctx.Set(4, variance);
}

void InstanceNormalization(NodeContext& ctx) {
  const OpId x = ctx.Input(0);
  if (!ctx.ok() || ctx.builder().shape(x).rank() < 2) {
    return ctx.Fail("found no features to normalise");
  }
  ctx.Set(0, GroupNorm(ctx.builder(), x, ctx.Input(1), ctx.Input(2),
                       ctx.builder().shape(x).dims[1].factor, ctx.Float("epsilon", 1e-5)));
}

void GroupNormalization(NodeContext& ctx) {
  ctx.Set(0, GroupNorm(ctx.builder(), ctx.Input(0), ctx.Input(1), ctx.Input(2),
                       ctx.Int("num_groups", 1), ctx.Float("epsilon", 1e-5)));
}

// GroupNorm of ONNX Runtime has features last, maybe a swish behind.
void GroupNormLast(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  OpId x = ctx.Input(0);
  if (!ctx.ok() || b.shape(x).rank() != 4) return ctx.Fail("found no images");
  x = GroupNorm(b, x, ctx.Input(1), ctx.Input(2), ctx.Int("groups", 1), ctx.Float("epsilon", 1e-5),
                ctx.Int("channels_last", 1) != 0 ? 3 : 1);
  ctx.Set(0, ctx.Int("activation", 0) != 0 ? Swish(b, x) : x);
}

std::vector<int64_t> DimsFrom(NodeContext& ctx, OpId x, int64_t axis) {
  std::vector<int64_t> dims;
  const int64_t rank = ctx.builder().shape(x).rank();
  for (int64_t dim = DimOf(ctx.builder(), axis, rank); dim < rank; ++dim) {
    dims.push_back(dim);
  }
  return dims;
}

// Results 1 and 2 of a layer norm: mean and inverse deviation.
void SetStatistics(NodeContext& ctx, OpId x, const std::vector<int64_t>& dims, double epsilon) {
  GraphBuilder& b = ctx.builder();
  if ((!ctx.Wants(1) && !ctx.Wants(2)) || !ctx.ok()) return;
  const MeanAndVariance moments = MeanAndVarianceOf(b, b.Convert(x, DType::kF32), dims);
  ctx.Set(1, moments.mean);
  ctx.Set(2, InverseDeviation(b, moments.variance, epsilon));
}

void LayerNormalization(NodeContext& ctx) {
  const OpId x = ctx.Input(0);
  const std::vector<int64_t> dims = DimsFrom(ctx, x, ctx.Int("axis", -1));
  const double epsilon = ctx.Float("epsilon", 1e-5);
  ctx.Set(0,
          LayerNormOf(ctx.builder(), x, ctx.OptionalInput(1), ctx.OptionalInput(2), dims, epsilon));
  SetStatistics(ctx, x, dims, epsilon);
}

void RmsNormalization(NodeContext& ctx) {
  const OpId x = ctx.Input(0);
  ctx.Set(0, RmsNorm(ctx.builder(), x, ctx.OptionalInput(1), DimsFrom(ctx, x, ctx.Int("axis", -1)),
                     ctx.Float("epsilon", 1e-5)));
}

// x + skip (+ bias), normalised; result 3 is the sum.
OpId SkipSum(NodeContext& ctx, size_t bias) {
  GraphBuilder& b = ctx.builder();
  OpId sum = BinaryOf(b, OpKind::kAdd, ctx.Input(0), ctx.Input(1));
  if (ctx.Has(bias)) sum = BinaryOf(b, OpKind::kAdd, sum, ctx.Input(bias));
  if (ctx.Wants(3)) ctx.Set(3, sum);
  return sum;
}

void SkipLayerNormalization(NodeContext& ctx) {
  const OpId sum = SkipSum(ctx, 4);
  const std::vector<int64_t> dims = DimsFrom(ctx, sum, -1);
  const double epsilon = ctx.Float("epsilon", 1e-12);
  ctx.Set(0, LayerNormOf(ctx.builder(), sum, ctx.OptionalInput(2), ctx.OptionalInput(3), dims,
                         epsilon));
  SetStatistics(ctx, sum, dims, epsilon);
}

void SkipRmsNormalization(NodeContext& ctx) {
  const OpId sum = SkipSum(ctx, 3);
  ctx.Set(0, RmsNorm(ctx.builder(), sum, ctx.OptionalInput(2), DimsFrom(ctx, sum, -1),
                     ctx.Float("epsilon", 1e-12)));
}

void MeanVarianceNormalization(NodeContext& ctx) {
  std::vector<int64_t> axes = ctx.Ints("axes");
  if (axes.empty()) axes = {0, 2, 3};
  ctx.Set(0, Standardize(ctx.builder(), ctx.Input(0), axes, 1e-9));
}

void Lrn(NodeContext& ctx) {
  LocalResponse options;
  options.size = ctx.Int("size", 5);
  options.alpha_per_element =
      ctx.Float("alpha", 1e-4) / static_cast<double>(std::max<int64_t>(options.size, 1));
  options.beta = ctx.Float("beta", 0.75);
  options.bias = ctx.Float("bias", 1);
  ctx.Set(0, LocalResponseNorm(ctx.builder(), ctx.Input(0), 1, options));
}

// Identity when the model does not train; else a random mask.
void DropoutOf(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const bool in_file = ctx.opset() >= 12 ? ctx.KnownNumber(2).value_or(0) != 0
                                         : ctx.opset() < 7 && ctx.Find("is_test") != nullptr &&
                                               ctx.Int("is_test", 0) == 0;
  const double ratio =
      ctx.opset() >= 12 ? ctx.KnownNumber(1).value_or(0.5) : ctx.Float("ratio", 0.5);
  const bool masks = (in_file || ctx.training()) && ratio > 0 && ratio < 1;
  if (!masks) {
    ctx.Forward(0, 0);
    if (ctx.Wants(1)) {
      ctx.Set(1, FilledLike(b, b.Convert(ctx.Input(0), DType::kPred), 1));
    }
    return;
  }
  const OpId x = ctx.Input(0);
  const DroppedOut dropped = Dropout(b, x, ratio);
  ctx.Set(0, dropped.result);
  ctx.Set(1, dropped.kept);
}

// x + bias, dropped out, + residual.
void BiasDropout(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  OpId x = BinaryOf(b, OpKind::kAdd, ctx.Input(0), ctx.Input(1));
  if (ctx.Has(2)) x = BinaryOf(b, OpKind::kAdd, x, ctx.Input(2));
  ctx.Set(0, x);
  if (ctx.Wants(1)) ctx.Set(1, FilledLike(b, b.Convert(x, DType::kPred), 1));
}

constexpr OpEntry kNormalizationOps[] = {
    {kStandard, "Softmax", Softmaxed<SoftmaxOf>},
    {kStandard, "LogSoftmax", Softmaxed<LogSoftmaxOf>},
    {kStandard, "Hardmax", Softmaxed<HardmaxOf>},
    {kStandard, "BatchNormalization", BatchNormalization},
    {kStandard, "InstanceNormalization", InstanceNormalization},
    {kStandard, "GroupNormalization", GroupNormalization},
    {kStandard, "LayerNormalization", LayerNormalization},
    {kStandard, "RMSNormalization", RmsNormalization},
    {kStandard, "SimplifiedLayerNormalization", RmsNormalization},
    {kStandard, "LpNormalization",
     Row<LpNormalize, Operand<0>, IntAttr<"axis", -1>, IntAttr<"p", 2>>},
    {kStandard, "MeanVarianceNormalization", MeanVarianceNormalization},
    {kStandard, "LRN", Lrn},
    {kStandard, "Dropout", DropoutOf},
    {kMicrosoft, "GroupNorm", GroupNormLast},
    {kMicrosoft, "SkipLayerNormalization", SkipLayerNormalization},
    {kMicrosoft, "SkipSimplifiedLayerNormalization", SkipRmsNormalization},
    {kMicrosoft, "BiasDropout", BiasDropout},
    {kMicrosoft, "TrainableDropout", DropoutOf},
};

}  // namespace

std::span<const OpEntry> NormalizationOps() { return kNormalizationOps; }

}  // namespace tilewise::onnx
