// Batch norm and local response norm, with their gradients.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "frontend/tensorflow/ops/window_attributes.h"
#include "library/activations.h"
#include "library/broadcast.h"
#include "library/normalizations.h"
#include "library/windows.h"

namespace tilewise::tf {
namespace {

constexpr int64_t kMostNeighbours = 1 << 15;

// Results: y, the batch's mean and variance, and the same for the gradient.
absl::Status FusedBatchNorm(OpContext& ctx) {
  const OpId x = ctx.Input(0), scale = ctx.Input(1), offset = ctx.Input(2);
  if (!ctx.ok()) return ctx.builder().TakeStatus();
  GraphBuilder& b = ctx.builder();
  TW_ASSIGN_OR_RETURN(const int64_t feature, FeatureDim(ctx, b.shape(x)));
  const bool training = ctx.Bool("is_training", true);
  BatchNormInputs inputs = {.scale = scale, .offset = offset};
  OpId mean = kNoOp, variance = kNoOp;
  if (training) {
    const FeatureStatistics statistics = StatisticsOf(b, x, feature);
    mean = statistics.mean;
    variance = statistics.variance;
  } else {
    TW_ASSIGN_OR_RETURN(mean, Tensor(ctx, 3));
    TW_ASSIGN_OR_RETURN(variance, Tensor(ctx, 4));
    inputs.mean = mean;
    inputs.variance = variance;
  }
  ctx.Set(0, BatchNormOf(b, x, inputs, feature, ctx.Float("epsilon", 1e-4), training));
  for (const int64_t result : {1, 3}) {
    ctx.Set(result, mean);
    ctx.Set(result + 1, variance);
  }
  return absl::OkStatus();
}

// This batch norm has a second input added to y and an activation.
absl::Status FusedBatchNormEx(OpContext& ctx) {
  TW_RETURN_IF_ERROR(FusedBatchNorm(ctx));
  GraphBuilder& b = ctx.builder();
  OpId y = ctx.results()[0].op;
  if (ctx.Int("num_side_inputs", 0) > 0) {
    TW_ASSIGN_OR_RETURN(const OpId side, Tensor(ctx, 5));
    y = BinaryOf(b, OpKind::kAdd, y, side);
  }
  if (ctx.Text("activation_mode", "Identity") == "Relu") y = Relu(b, y);
  return ctx.Result(y);
}

// The older op: x, mean, variance, offset, scale.
absl::Status GlobalNormalization(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 5));
  GraphBuilder& b = ctx.builder();
  const OpId scale = ctx.Bool("scale_after_normalization", true) ? xs[4] : kNoOp;
  return ctx.Result(BatchNormOf(b, xs[0], {scale, xs[3], xs[1], xs[2]}, b.shape(xs[0]).rank() - 1,
                                ctx.Float("variance_epsilon", 1e-3), false));
}

// Operands: dy, x, scale, mean, variance.
absl::Status FusedBatchNormGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 5));
  GraphBuilder& b = ctx.builder();
  TW_ASSIGN_OR_RETURN(const int64_t feature, FeatureDim(ctx, b.shape(xs[1])));
  const BatchNormGradients gradients =
      BatchNormGradientOf(b, xs[1], xs[0], {.scale = xs[2], .mean = xs[3], .variance = xs[4]},
                          feature, ctx.Float("epsilon", 1e-4), ctx.Bool("is_training", true));
  ctx.Set(0, gradients.x);
  ctx.Set(1, gradients.scale);
  ctx.Set(2, gradients.offset);
  return absl::OkStatus();
}

LocalResponse ReadLocalResponse(const OpContext& ctx) {
  const int64_t radius = std::clamp<int64_t>(ctx.Int("depth_radius", 5), 0, kMostNeighbours);
  return {.size = 2 * radius + 1,
          .alpha_per_element = ctx.Float("alpha", 1),
          .beta = ctx.Float("beta", 0.5),
          .bias = ctx.Float("bias", 1)};
}

absl::Status Lrn(OpContext& ctx) {
  return ctx.Result(LocalResponseNorm(ctx.builder(), ctx.Input(0), -1, ReadLocalResponse(ctx)));
}

// Operands: dy, x, y.
absl::Status LrnGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 3));
  return ctx.Result(
      LocalResponseGradient(ctx.builder(), xs[1], xs[2], xs[0], -1, ReadLocalResponse(ctx)));
}

constexpr OpEntry kNormalizationOps[] = {
    {"BatchNormWithGlobalNormalization", GlobalNormalization},
    {"FusedBatchNorm", FusedBatchNorm},
    {"FusedBatchNormGrad", FusedBatchNormGrad},
    {"FusedBatchNormGradV2", FusedBatchNormGrad},
    {"FusedBatchNormGradV3", FusedBatchNormGrad},
    {"FusedBatchNormV2", FusedBatchNorm},
    {"FusedBatchNormV3", FusedBatchNorm},
    {"LRN", Lrn},
    {"LRNGrad", LrnGrad},
    {"_FusedBatchNormEx", FusedBatchNormEx},
};

}  // namespace

std::span<const OpEntry> NormalizationOps() { return kNormalizationOps; }

}  // namespace tilewise::tf
