// Batch norm and local response norm, with their gradients. The statistics of a
// batch are written as graph/moments.h writes them, so that those of the norm
// itself and of its gradient become one sweep.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/tensor/activations.h"
#include "frontend/tensor/broadcast.h"
#include "frontend/tensor/normalizations.h"
#include "frontend/tensor/reductions.h"
#include "frontend/tensor/windows.h"
#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "frontend/tensorflow/ops/term.h"
#include "frontend/tensorflow/ops/window_attributes.h"

namespace tilewise::tf {
namespace {

constexpr int64_t kMostNeighbours = 1 << 15;

// The feature dim of x, and the others, over which statistics are taken.
struct NormDims {
  int64_t feature = 0;
  std::vector<int64_t> others;
};

absl::StatusOr<NormDims> ReadDims(const OpContext& ctx, const Shape& x) {
  if (x.rank() < 2) {
    return InvalidInput(
        fmt::format("found {}, expected rank 2 or more", FormatShape(x)));
  }
  TW_ASSIGN_OR_RETURN(const bool channels_first, ChannelsFirst(ctx));
  NormDims dims;
  dims.feature = FeatureDimOf(channels_first, x.rank());
  dims.others = AllDims(x.rank());
  dims.others.erase(dims.others.begin() + dims.feature);
  return dims;
}

struct Statistics {
  Term mean, variance;
};

Statistics StatisticsOf(GraphBuilder& b, OpId op, const NormDims& dims) {
  const Term x(b, b.Convert(op, DType::kF32));
  const double weight = 1 / ElementsIn(b.shape(op), dims.others);
  const Term sum = Sum(x, dims.others);
  const Term squares = Sum(Square(x), dims.others);
  const Term mean = sum * weight;
  return {mean, squares * weight - Square(mean)};
}

// Results: y, the batch's mean and variance, and the same for the gradient.
absl::Status FusedBatchNorm(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId scale, Tensor(ctx, 1));
  TW_ASSIGN_OR_RETURN(const OpId offset, Tensor(ctx, 2));
  GraphBuilder& b = ctx.builder;
  TW_ASSIGN_OR_RETURN(const NormDims dims, ReadDims(ctx, b.shape(x)));
  const bool training = ctx.Bool("is_training", true);
  BatchNormInputs inputs = {.scale = scale, .offset = offset};
  OpId mean = kNoOp, variance = kNoOp;
  if (training) {
    const Statistics statistics = StatisticsOf(b, x, dims);
    mean = statistics.mean.id;
    variance = statistics.variance.id;
  } else {
    TW_ASSIGN_OR_RETURN(mean, Tensor(ctx, 3));
    TW_ASSIGN_OR_RETURN(variance, Tensor(ctx, 4));
    inputs.mean = mean;
    inputs.variance = variance;
  }
  ctx.SetOp(0, BatchNormOf(b, x, inputs, dims.feature,
                           ctx.Float("epsilon", 1e-4), training));
  for (const int64_t result : {1, 3}) {
    ctx.SetOp(result, mean);
    ctx.SetOp(result + 1, variance);
  }
  return absl::OkStatus();
}

// With a second input added to y and an activation.
absl::Status FusedBatchNormEx(OpContext& ctx) {
  TW_RETURN_IF_ERROR(FusedBatchNorm(ctx));
  GraphBuilder& b = ctx.builder;
  OpId y = ctx.results()[0].op;
  if (ctx.Int("num_side_inputs", 0) > 0) {
    TW_ASSIGN_OR_RETURN(const OpId side, Tensor(ctx, 5));
    y = BinaryOf(b, OpKind::kAdd, y, side);
  }
  if (ctx.String("activation_mode", "Identity") == "Relu") y = Relu(b, y);
  ctx.SetOp(0, y);
  return absl::OkStatus();
}

// The older op: x, mean, variance, offset, scale.
absl::Status GlobalNormalization(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 5));
  GraphBuilder& b = ctx.builder;
  const OpId scale =
      ctx.Bool("scale_after_normalization", true) ? xs[4] : kNoOp;
  ctx.SetOp(0, BatchNormOf(b, xs[0], {scale, xs[3], xs[1], xs[2]},
                           b.shape(xs[0]).rank() - 1,
                           ctx.Float("variance_epsilon", 1e-3), false));
  return absl::OkStatus();
}

// Operands: dy, x, scale, mean, variance. In training, mean and variance depend
// on x too (Ioffe and Szegedy 2015, section 3).
absl::Status FusedBatchNormGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 5));
  GraphBuilder& b = ctx.builder;
  TW_ASSIGN_OR_RETURN(const NormDims dims, ReadDims(ctx, b.shape(xs[1])));
  const Term dy(b, b.Convert(xs[0], DType::kF32));
  const Term x(b, b.Convert(xs[1], DType::kF32));
  const auto along = [&](Term v) {
    return v.Of(AlongDim(b, v.id, x.id, dims.feature));
  };
  const Term scale(b, b.Convert(xs[2], DType::kF32));
  const Term mean(b, xs[3]), variance(b, xs[4]);
  const Term inverse = Rsqrt(variance + ctx.Float("epsilon", 1e-4));
  const Term centred = x - along(mean);
  const Term doffset = Sum(dy, dims.others);
  const Term dscale = Sum(dy * centred, dims.others) * inverse;
  Term dx = dy;
  if (ctx.Bool("is_training", true)) {
    const double weight = 1 / ElementsIn(b.shape(xs[1]), dims.others);
    dx = dy - along(doffset * weight) -
         centred * along(inverse * dscale * weight);
  }
  dx = dx * along(scale * inverse);
  ctx.SetOp(0, b.Convert(dx.id, b.shape(xs[1]).dtype));
  ctx.SetOp(1, dscale.id);
  ctx.SetOp(2, doffset.id);
  return absl::OkStatus();
}

LocalResponse ReadLocalResponse(const OpContext& ctx) {
  const int64_t radius =
      std::clamp<int64_t>(ctx.Int("depth_radius", 5), 0, kMostNeighbours);
  return {.size = 2 * radius + 1,
          .alpha_per_element = ctx.Float("alpha", 1),
          .beta = ctx.Float("beta", 0.5),
          .bias = ctx.Float("bias", 1)};
}

absl::Status Lrn(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  ctx.SetOp(0, LocalResponseNorm(ctx.builder, x, -1, ReadLocalResponse(ctx)));
  return absl::OkStatus();
}

// Sums over `size` neighbours of the last dim.
absl::StatusOr<Term> NeighbourSum(Term x, int64_t size) {
  GraphBuilder& b = x.b();
  const Shape from = x.shape();
  if (from.rank() < 1 || size < 1 || size > 65536) {
    return InvalidInput(
        fmt::format("found {} neighbours in {}", size, FormatShape(from)));
  }
  std::vector<Dim> outer = from.dims;
  outer.pop_back();
  TW_ASSIGN_OR_RETURN(const Dim rows, ElementsOf(outer));
  const OpId flat = b.Reshape(x.id, {rows, from.dims.back(), {1, false}});
  const WindowDim window = {
      .size = size, .pad_low = size / 2, .pad_high = size / 2};
  const OpId sums = b.ReduceWindow(Reducer::kSum, flat, {window}, false);
  return x.Of(b.Reshape(sums, from.dims));
}

// Operands: dy, x, y = x norm^-beta with norm = bias + alpha sum(x^2).
absl::Status LrnGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto xs, Tensors(ctx, 0, 3));
  GraphBuilder& b = ctx.builder;
  const LocalResponse options = ReadLocalResponse(ctx);
  const Term dy(b, xs[0]), x(b, xs[1]), y(b, xs[2]);
  TW_ASSIGN_OR_RETURN(const Term squares,
                      NeighbourSum(Square(x), options.size));
  const Term norm = squares * options.alpha_per_element + options.bias;
  TW_ASSIGN_OR_RETURN(const Term spread,
                      NeighbourSum(dy * y / norm, options.size));
  const double factor = 2 * options.alpha_per_element * options.beta;
  const Term dx =
      dy * Power(norm, norm.Like(-options.beta)) - x * spread * factor;
  ctx.SetOp(0, dx.id);
  return absl::OkStatus();
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
