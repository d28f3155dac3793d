// Attention layers. Masks that are given as tensors cost one select and are
// left out; causal ones are built.

#include "library/attention.h"

#include <numeric>

#include <fmt/format.h>

#include "frontend/keras/layers/families.h"
#include "library/broadcast.h"
#include "library/term.h"

namespace tilewise {
namespace {

// An EinsumDense layer inside: `dims` of x meet the first dims of a kernel of
// `sizes`, and the others are those of the bias.
OpId Project(LayerContext& ctx, const char* name, OpId x, std::vector<int64_t> dims,
             const std::vector<int64_t>& sizes) {
  std::vector<int64_t> met(dims.size());
  std::iota(met.begin(), met.end(), 0);
  const auto contracted = static_cast<int64_t>(met.size());
  const OpId kernel = ctx.Variable(fmt::format("{}_kernel", name), sizes);
  const OpId y = ctx.builder.Dot(x, kernel, {{}, {}, std::move(dims), std::move(met)});
  if (!ctx.config.Flag("use_bias", true)) return y;
  const OpId bias =
      ctx.Variable(fmt::format("{}_bias", name), {sizes.begin() + contracted, sizes.end()});
  return BinaryOf(ctx.builder, OpKind::kAdd, y, bias);
}

struct Heads {
  int64_t queries = 0, keys = 0;  // how many; each key has as many queries
  int64_t key_dim = 0, value_dim = 0;
};

// x [N,T,heads,size] with each head so many times, one after the other.
OpId RepeatHeads(LayerContext& ctx, OpId x, int64_t times) {
  if (times == 1) return x;
  const std::vector<Dim> dims = ctx.shape(x).dims;
  const OpId each =
      ctx.builder.Broadcast(x, {dims[0], dims[1], dims[2], {times, false}, dims[3]}, {0, 1, 2, 4});
  return ctx.builder.Reshape(each, {dims[0], dims[1], {dims[2].factor * times, false}, dims[3]});
}

// Projections of query, value and key (each the one before where it is not
// given), attention, and a projection of what comes of it.
OpId AttendByHeads(LayerContext& ctx, const Heads& heads) {
  if (ctx.inputs.size() < 2) ctx.inputs.push_back(ctx.inputs[0]);
  const OpId query = ctx.inputs[0];
  const OpId value = ctx.inputs[1];
  const OpId key = ctx.inputs.size() > 2 ? ctx.inputs[2] : value;
  for (const OpId x : {query, value, key}) {
    if (!ctx.ExpectRank(x, 3)) return kNoOp;
  }
  // x [N,T,D] -> [N,T,heads,size].
  const auto split = [&](const char* name, OpId x, int64_t count, int64_t size) {
    return Project(ctx, name, x, {2}, {ctx.shape(x).dims.back().factor, count, size});
  };
  const int64_t times = heads.queries / heads.keys;
  const OpId q = split("query", query, heads.queries, heads.key_dim);
  const OpId k = RepeatHeads(ctx, split("key", key, heads.keys, heads.key_dim), times);
  const OpId v = RepeatHeads(ctx, split("value", value, heads.keys, heads.value_dim), times);
  GraphBuilder& b = ctx.builder;
  const double dropout = ctx.config.Number("dropout", 0);
  const Attended attended =
      AttendScaledQueries(b, q, k, v,
                          {.causal = CallFlag(ctx, "use_causal_mask"),
                           .dropout = ctx.training && dropout < 1 ? dropout : 0});
  const Shape shape = ctx.shape(query);
  std::vector<int64_t> out = ctx.config.Integers("output_shape");
  if (out.empty()) out = {shape.dims.back().factor};
  if (out.size() != 1 || out[0] < 1) {
    b.Fail("output_shape is not one positive integer");
    return kNoOp;
  }
  const OpId y = Project(ctx, "attention_output", attended.result, {2, 3},
                         {heads.queries, heads.value_dim, out[0]});
  if (CallFlag(ctx, "return_attention_scores")) {
    ctx.more_outputs.push_back(attended.weights);
  }
  return y;
}

OpId BuildMultiHeadAttention(LayerContext& ctx) {
  const int64_t heads = ctx.config.Positive("num_heads");
  const int64_t key_dim = ctx.config.Positive("key_dim");
  return AttendByHeads(ctx, {heads, heads, key_dim, ctx.config.Positive("value_dim", key_dim)});
}

OpId BuildGroupQueryAttention(LayerContext& ctx) {
  if (ctx.config.Flag("use_gate", false)) {
    return ctx.Opaque(ctx.shape(ctx.input()), "gates the result of each head");
  }
  const int64_t queries = ctx.config.Positive("num_query_heads");
  const int64_t keys = ctx.config.Positive("num_key_value_heads");
  const int64_t size = ctx.config.Positive("head_dim");
  if (queries % keys != 0) {
    ctx.builder.Fail(
        fmt::format("num_query_heads is {}, expected a multiple of the {} heads of "
                    "keys and values",
                    queries, keys));
    return kNoOp;
  }
  return AttendByHeads(ctx, {queries, keys, size, size});
}

struct Operands {
  OpId query, value, key;
};

Operands ReadOperands(LayerContext& ctx) {
  if (ctx.inputs.size() < 2) {
    ctx.builder.Fail(fmt::format("{} has {} input, expected query and value", ctx.layer.class_name,
                                 ctx.inputs.size()));
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
    scores = MaskFuture(ctx.builder, scores);
  }
  const OpId weights =
      Drop(ctx, ctx.builder.Softmax(scores, 2), ctx.config.Number("dropout", 0), {});
  return ctx.builder.Dot(weights, value, {{0}, {0}, {2}, {1}});
}

OpId BuildAttention(LayerContext& ctx) {
  const Operands in = ReadOperands(ctx);
  OpId scores = ctx.builder.Dot(in.query, in.key, {{0}, {0}, {2}, {2}});
  if (ctx.config.Flag("use_scale", false)) {
    scores = BinaryOf(ctx.builder, OpKind::kMultiply, scores, ctx.Variable("scale", {}));
  }
  return Attend(ctx, scores, in.value);
}

// tanh(query + key) of every pair of positions, weighted and summed.
OpId BuildAdditiveAttention(LayerContext& ctx) {
  const Operands in = ReadOperands(ctx);
  const Shape q = ctx.shape(in.query);
  if (!ctx.builder.ok()) return kNoOp;
  GraphBuilder& b = ctx.builder;
  const Term pairs =
      Tanh(Term(b, Unsqueezed(b, in.query, {2})) + Term(b, Unsqueezed(b, in.key, {1})));
  OpId sum = pairs.id;
  if (ctx.config.Flag("use_scale", true)) {
    sum = (pairs * Term(b, ctx.Variable("scale", {q.dims[2].factor}))).id;
  }
  return Attend(ctx, b.Reduce(Reducer::kSum, sum, {3}), in.value);
}

constexpr LayerEntry kAttentionLayers[] = {
    {"MultiHeadAttention", BuildMultiHeadAttention},
    {"GroupQueryAttention", BuildGroupQueryAttention},
    {"Attention", BuildAttention},
    {"AdditiveAttention", BuildAdditiveAttention},
};

}  // namespace

std::span<const LayerEntry> AttentionLayers() { return kAttentionLayers; }

}  // namespace tilewise
