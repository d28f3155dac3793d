// Attention layers. Masks that are given as tensors cost one select and are
// left out; causal ones are built.

#include <cmath>

#include <fmt/format.h>

#include "frontend/keras/layers/families.h"
#include "frontend/keras/layers/regularization.h"

namespace tilewise {
namespace {

bool CallFlag(const LayerContext& ctx, const char* name) {
  const nlohmann::json& kwargs = ctx.call.kwargs;
  return kwargs.is_object() && kwargs.contains(name) && kwargs[name] == true;
}

// Scores of later positions set to a large negative number.
OpId MaskFuture(LayerContext& ctx, OpId scores) {
  const Shape shape = ctx.shape(scores);
  const auto rank = shape.rank();
  if (!ctx.builder.ok() || rank < 3) return scores;
  const Shape square(DType::kS32, {shape.dims[static_cast<size_t>(rank - 2)],
                                   shape.dims[static_cast<size_t>(rank - 1)]});
  const OpId seen =
      ctx.builder.Compare(Comparison::kGe, ctx.builder.Iota(square, 0),
                          ctx.builder.Iota(square, 1));
  const OpId never = ctx.builder.Broadcast(
      ctx.builder.Scalar(-1e9, shape.dtype), shape.dims, {});
  return ctx.builder.Select(
      ctx.builder.Broadcast(seen, shape.dims, {rank - 2, rank - 1}), scores,
      never);
}

// x [N,T,D] -> [N,T,heads,size].
OpId Project(LayerContext& ctx, const char* name, OpId x, int64_t heads,
             int64_t size) {
  const Shape shape = ctx.shape(x);
  const int64_t width = heads * size;
  OpId y =
      ctx.builder.MatMul(x, ctx.Variable(fmt::format("{}_kernel", name),
                                         {shape.dims.back().factor, width}));
  if (ctx.config.Flag("use_bias", true)) {
    y = ctx.AddBias(y, ctx.Variable(fmt::format("{}_bias", name), {width}),
                    shape.rank() - 1);
  }
  return ctx.builder.Reshape(
      y, {shape.dims[0], shape.dims[1], {heads, false}, {size, false}});
}

OpId BuildMultiHeadAttention(LayerContext& ctx) {
  if (ctx.inputs.size() < 2) ctx.inputs.push_back(ctx.inputs[0]);
  const OpId query = ctx.inputs[0];
  const OpId value = ctx.inputs[1];
  const OpId key = ctx.inputs.size() > 2 ? ctx.inputs[2] : value;
  for (const OpId x : {query, value, key}) {
    if (!ctx.ExpectRank(x, 3)) return kNoOp;
  }
  const int64_t heads = ctx.config.Positive("num_heads");
  const int64_t key_dim = ctx.config.Positive("key_dim");
  const int64_t value_dim = ctx.config.Positive("value_dim", key_dim);
  const OpId q = Project(ctx, "query", query, heads, key_dim);
  const OpId k = Project(ctx, "key", key, heads, key_dim);
  const OpId v = Project(ctx, "value", value, heads, value_dim);
  GraphBuilder& b = ctx.builder;
  const OpId scaled = b.BinaryScalar(
      OpKind::kMultiply, q, 1 / std::sqrt(static_cast<double>(key_dim)));
  OpId scores = b.Dot(scaled, k, {{0, 2}, {0, 2}, {3}, {3}});  // [N,H,T,S]
  if (CallFlag(ctx, "use_causal_mask")) scores = MaskFuture(ctx, scores);
  const OpId weights =
      Drop(ctx, b.Softmax(scores, 3), ctx.config.Number("dropout", 0), {});
  OpId y = b.Dot(weights, v, {{0, 1}, {0, 2}, {3}, {1}});  // [N,H,T,V]
  y = b.Transpose(y, {0, 2, 1, 3});
  const Shape shape = ctx.shape(query);
  const int64_t width = heads * value_dim;
  y = b.Reshape(y, {shape.dims[0], shape.dims[1], {width, false}});
  std::vector<int64_t> out = ctx.config.Integers("output_shape");
  if (out.empty()) out = {shape.dims.back().factor};
  if (out.size() != 1 || out[0] < 1) {
    b.Fail("output_shape is not one positive integer");
    return kNoOp;
  }
  y = b.MatMul(y, ctx.Variable("attention_output_kernel", {width, out[0]}));
  if (ctx.config.Flag("use_bias", true)) {
    y = ctx.AddBias(y, ctx.Variable("attention_output_bias", {out[0]}), 2);
  }
  if (CallFlag(ctx, "return_attention_scores")) {
    ctx.more_outputs.push_back(weights);
  }
  return y;
}

struct Operands {
  OpId query, value, key;
};

Operands ReadOperands(LayerContext& ctx) {
  if (ctx.inputs.size() < 2) {
    ctx.builder.Fail(fmt::format("{} has {} input, expected query and value",
                                 ctx.layer.class_name, ctx.inputs.size()));
    return {kNoOp, kNoOp, kNoOp};
  }
  const OpId key = ctx.inputs.size() > 2 ? ctx.inputs[2] : ctx.inputs[1];
  for (const OpId x : {ctx.inputs[0], ctx.inputs[1], key}) {
    ctx.ExpectRank(x, 3);
  }
  return {ctx.inputs[0], ctx.inputs[1], key};
}

OpId Attend(LayerContext& ctx, OpId scores, OpId value) {
  if (CallFlag(ctx, "use_causal_mask") || ctx.config.Flag("causal", false)) {
    scores = MaskFuture(ctx, scores);
  }
  const OpId weights = Drop(ctx, ctx.builder.Softmax(scores, 2),
                            ctx.config.Number("dropout", 0), {});
  return ctx.builder.Dot(weights, value, {{0}, {0}, {2}, {1}});
}

OpId BuildAttention(LayerContext& ctx) {
  const Operands in = ReadOperands(ctx);
  OpId scores = ctx.builder.Dot(in.query, in.key, {{0}, {0}, {2}, {2}});
  if (ctx.config.Flag("use_scale", false)) {
    const OpId scale = ctx.Variable("scale", {});
    scores = ctx.builder.Binary(
        OpKind::kMultiply, scores,
        ctx.builder.Broadcast(scale, ctx.shape(scores).dims, {}));
  }
  return Attend(ctx, scores, in.value);
}

// tanh(query + key) of every pair of positions, weighted and summed.
OpId BuildAdditiveAttention(LayerContext& ctx) {
  const Operands in = ReadOperands(ctx);
  const Shape q = ctx.shape(in.query);
  const Shape k = ctx.shape(in.key);
  if (!ctx.builder.ok()) return kNoOp;
  const std::vector<Dim> pairs = {q.dims[0], q.dims[1], k.dims[1], q.dims[2]};
  GraphBuilder& b = ctx.builder;
  OpId sum = b.Binary(OpKind::kAdd, b.Broadcast(in.query, pairs, {0, 1, 3}),
                      b.Broadcast(in.key, pairs, {0, 2, 3}));
  sum = b.Unary(OpKind::kTanh, sum);
  if (ctx.config.Flag("use_scale", true)) {
    const OpId scale = ctx.Variable("scale", {q.dims[2].factor});
    sum = b.Binary(OpKind::kMultiply, sum, b.Broadcast(scale, pairs, {3}));
  }
  return Attend(ctx, b.Reduce(Reducer::kSum, sum, {3}), in.value);
}

constexpr LayerEntry kAttentionLayers[] = {
    {"MultiHeadAttention", BuildMultiHeadAttention},
    {"Attention", BuildAttention},
    {"AdditiveAttention", BuildAdditiveAttention},
};

}  // namespace

std::span<const LayerEntry> AttentionLayers() { return kAttentionLayers; }

}  // namespace tilewise
