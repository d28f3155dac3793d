// Random numbers.

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "frontend/onnx/tensor_data.h"
#include "library/broadcast.h"

namespace tilewise::onnx {
namespace {

DType TypeOr(NodeContext& ctx, DType fallback) {
  return ElementOf(static_cast<int32_t>(ctx.Int("dtype", 0))).value_or(fallback);
}

// numbers * scale + offset.
void SetRandom(NodeContext& ctx, OpKind kind, const Shape& shape, double scale, double offset) {
  GraphBuilder& b = ctx.builder();
  const Shape drawn = IsFloat(shape.dtype) ? shape : shape.WithType(DType::kF32);
  OpId x = b.Rng(kind, drawn);
  if (scale != 1) x = WithScalar(b, OpKind::kMultiply, x, scale);
  if (offset != 0) x = WithScalar(b, OpKind::kAdd, x, offset);
  ctx.Set(0, b.Convert(x, shape.dtype));
}

Shape GivenShape(NodeContext& ctx) {
  const auto dims = KnownAsDims(KnownVector(ctx.Ints("shape")));
  if (!dims) ctx.Fail("found a negative dim");
  return {TypeOr(ctx, DType::kF32), dims.value_or(std::vector<Dim>())};
}

Shape LikeOperand(NodeContext& ctx) {
  const Shape like = ctx.ShapeOf(0);
  return like.WithType(TypeOr(ctx, like.dtype));
}

void Normal(NodeContext& ctx, const Shape& shape) {
  SetRandom(ctx, OpKind::kRngNormal, shape, ctx.Float("scale", 1), ctx.Float("mean", 0));
}

void Uniform(NodeContext& ctx, const Shape& shape) {
  const double low = ctx.Float("low", 0);
  SetRandom(ctx, OpKind::kRngUniform, shape, ctx.Float("high", 1) - low, low);
}

void RandomNormal(NodeContext& ctx) { Normal(ctx, GivenShape(ctx)); }
void RandomNormalLike(NodeContext& ctx) { Normal(ctx, LikeOperand(ctx)); }
void RandomUniform(NodeContext& ctx) { Uniform(ctx, GivenShape(ctx)); }
void RandomUniformLike(NodeContext& ctx) { Uniform(ctx, LikeOperand(ctx)); }

void Bernoulli(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId p = ctx.Input(0);
  const OpId drawn = b.Rng(OpKind::kRngUniform, b.shape(p));
  ctx.Set(0, b.Convert(b.Compare(Comparison::kLt, drawn, p), TypeOr(ctx, b.shape(p).dtype)));
}

// `sample_size` draws from each row of logits.
void Multinomial(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId logits = ctx.Input(0);
  const int64_t draws = ctx.Int("sample_size", 1);
  if (!ctx.ok() || b.shape(logits).rank() != 2 || draws < 1 || draws > (int64_t{1} << 31)) {
    return ctx.Fail(fmt::format("found {} draws from {}", draws, FormatShape(b.shape(logits))));
  }
  const std::vector<Dim> dims = b.shape(logits).dims;
  const OpId spread = b.Broadcast(logits, {dims[0], {draws, false}, dims[1]}, {0, 2});
  ctx.Set(0, b.Convert(b.RngCategorical(spread), TypeOr(ctx, DType::kS32)));
}

constexpr OpEntry kRandomOps[] = {
    {kStandard, "RandomNormal", RandomNormal},
    {kStandard, "RandomNormalLike", RandomNormalLike},
    {kStandard, "RandomUniform", RandomUniform},
    {kStandard, "RandomUniformLike", RandomUniformLike},
    {kStandard, "Bernoulli", Bernoulli},
    {kStandard, "Multinomial", Multinomial},
};

}  // namespace

std::span<const OpEntry> RandomOps() { return kRandomOps; }

}  // namespace tilewise::onnx
