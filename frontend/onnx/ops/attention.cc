// Attention as one op: that of the standard and those of ONNX Runtime.

#include "library/attention.h"

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "library/broadcast.h"
#include "library/gather.h"
#include "library/matmul.h"
#include "library/normalizations.h"
#include "library/rearrange.h"
#include "library/reductions.h"

namespace tilewise::onnx {
namespace {

constexpr int64_t kMaxHeads = 1 << 20;

OpId Heads(NodeContext& ctx, OpId x, int64_t heads) { return SplitHeads(ctx.builder(), x, heads); }

// [n, heads, tokens, depth] <-> [n, tokens, heads, depth].
OpId Swapped(NodeContext& ctx, OpId x) { return ctx.builder().Transpose(x, {0, 2, 1, 3}); }

AttentionOptions OptionsOf(NodeContext& ctx, bool causal) {
  AttentionOptions options;
  options.causal = causal;
  const double scale = ctx.Float("scale", 0);
  if (scale > 0) options.scale = scale;
  return options;
}

// Four dims, as attention wants its mask.
OpId MaskOf(NodeContext& ctx, size_t i, OpId q, OpId k) {
  if (!ctx.Has(i) || !ctx.ok()) return kNoOp;
  GraphBuilder& b = ctx.builder();
  OpId mask = ctx.Input(i);
  std::vector<Dim> dims = b.shape(mask).dims;
  const Dim keys = b.shape(k).dims[1];
  if (dims.size() == 2 && dims[1] == keys && dims[0] == b.shape(q).dims[0] &&
      dims[0] != b.shape(q).dims[1]) {
    dims = {dims[0], {1, false}, {1, false}, dims[1]};
  } else if (dims.size() == 3) {
    dims.insert(dims.begin() + 1, Dim{1, false});
  } else {
    while (dims.size() < 4) dims.insert(dims.begin(), Dim{1, false});
  }
  if (dims.size() != 4 || dims[3] != keys) return kNoOp;
  mask = b.Reshape(mask, dims);
  const DType type = b.shape(mask).dtype;
  if (IsFloat(type)) return b.Convert(mask, b.shape(q).dtype);
  return AsPred(b, mask);
}

// Puts past keys or values [n, heads, past, depth] in front of x [n, tokens,
// heads, depth]; the result of that is the present.
OpId WithPast(NodeContext& ctx, OpId x, OpId past, size_t present) {
  GraphBuilder& b = ctx.builder();
  if (past != kNoOp) x = b.Concatenate({Swapped(ctx, past), x}, 1);
  if (ctx.Wants(present)) ctx.Set(present, Swapped(ctx, x));
  return x;
}

// Attention of version 23 has q, k, v of three or four dims, a mask, past keys
// and values.
void Attention(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  OpId q = ctx.Input(0);
  OpId k = ctx.Input(1);
  OpId v = ctx.Input(2);
  if (!ctx.ok()) return;
  const bool flat = b.shape(q).rank() == 3;
  if (flat) {
    q = Heads(ctx, q, ctx.Int("q_num_heads", 1));
    k = Heads(ctx, k, ctx.Int("kv_num_heads", 1));
    v = Heads(ctx, v, ctx.Int("kv_num_heads", 1));
  } else {
    q = Swapped(ctx, q);
    k = Swapped(ctx, k);
    v = Swapped(ctx, v);
  }
  k = WithPast(ctx, k, ctx.OptionalInput(4), 1);
  v = WithPast(ctx, v, ctx.OptionalInput(5), 2);
  if (!ctx.ok()) return;
  const OpId y =
      b.Attention(q, k, v, OptionsOf(ctx, ctx.Int("is_causal", 0) != 0), MaskOf(ctx, 3, q, k));
  if (!ctx.ok()) return;
  ctx.Set(0, flat ? JoinHeads(b, y) : Swapped(ctx, y));
}

// FusedAttention of ONNX Runtime multiplies x by the joined weights of q, k and
// v.
void FusedAttention(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  OpId all = NumpyMatMul(b, ctx.Input(0), ctx.Input(1));
  if (ctx.Has(2)) all = BinaryOf(b, OpKind::kAdd, all, ctx.Input(2));
  if (!ctx.ok() || b.shape(all).rank() != 3) {
    return ctx.Fail("found no [batch, tokens, features]");
  }
  std::vector<int64_t> sizes = ctx.Ints("qkv_hidden_sizes");
  const int64_t width = b.shape(all).dims[2].factor;
  if (sizes.size() != 3) sizes = {width / 3, width / 3, width / 3};
  const std::vector<OpId> parts = SplitAlong(b, all, 2, sizes);
  if (!ctx.ok()) return;
  const int64_t heads = ctx.Int("num_heads", 1);
  const OpId q = Heads(ctx, parts[0], heads);
  OpId k = Heads(ctx, parts[1], heads);
  OpId v = Heads(ctx, parts[2], heads);
  if (ctx.Has(4) && ctx.ok()) {
    const OpId past = ctx.Input(4);  // [2, n, heads, past, depth]
    k = b.Concatenate({Swapped(ctx, ElementAlong(b, past, 0, 0)), k}, 1);
    v = b.Concatenate({Swapped(ctx, ElementAlong(b, past, 1, 0)), v}, 1);
  }
  if (ctx.Wants(1) && ctx.ok()) {
    const OpId both[] = {Swapped(ctx, k), Swapped(ctx, v)};
    ctx.Set(1, Stack(b, both, 0));
  }
  if (!ctx.ok()) return;
  const OpId y =
      b.Attention(q, k, v, OptionsOf(ctx, ctx.Int("unidirectional", 0) != 0), MaskOf(ctx, 3, q, k));
  ctx.Set(0, JoinHeads(b, y));
}

// q, k, v, bias, padding mask, scores to add, past keys, past values.
void MultiHeadAttention(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  if (!ctx.Has(1) || !ctx.Has(2)) {
    return ctx.Fail("packed queries, keys and values are not lowered");
  }
  const int64_t heads = ctx.Int("num_heads", 1);
  const OpId q = Heads(ctx, ctx.Input(0), heads);
  OpId k = ctx.Input(1);
  OpId v = ctx.Input(2);
  if (!ctx.ok()) return;
  // Keys of another sequence come with their heads in front.
  k = b.shape(k).rank() == 4 ? Swapped(ctx, k) : Heads(ctx, k, heads);
  v = b.shape(v).rank() == 4 ? Swapped(ctx, v) : Heads(ctx, v, heads);
  k = WithPast(ctx, k, ctx.OptionalInput(6), 1);
  v = WithPast(ctx, v, ctx.OptionalInput(7), 2);
  if (!ctx.ok()) return;
  const OpId mask = ctx.Has(5) ? MaskOf(ctx, 5, q, k) : MaskOf(ctx, 4, q, k);
  const OpId y = b.Attention(q, k, v, OptionsOf(ctx, ctx.Int("unidirectional", 0) != 0), mask);
  ctx.Set(0, JoinHeads(b, y));
}

// q, k, v, past keys, past values: fewer heads of keys than of queries. The
// caches are as long as they become.
void GroupQueryAttention(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const int64_t heads = ctx.Int("num_heads", 1);
  const int64_t kv_heads = ctx.Int("kv_num_heads", heads);
  OpId q = ctx.Input(0);
  OpId k = ctx.OptionalInput(1);
  OpId v = ctx.OptionalInput(2);
  if (k == kNoOp && ctx.ok()) {
    const Shape packed = b.shape(q);
    const int64_t width = packed.dims.empty() ? 0 : packed.dims.back().factor;
    if (packed.rank() != 3 || heads < 1 || kv_heads < 1 || heads > kMaxHeads ||
        kv_heads > kMaxHeads) {
      return ctx.Fail(fmt::format("found {} heads", heads));
    }
    const int64_t depth = width / (heads + 2 * kv_heads);
    const int64_t sizes[] = {heads * depth, kv_heads * depth, kv_heads * depth};
    const std::vector<OpId> parts = SplitAlong(b, q, 2, sizes);
    if (!ctx.ok()) return;
    q = parts[0];
    k = parts[1];
    v = parts[2];
  }
  q = Heads(ctx, q, heads);
  k = WithPast(ctx, Heads(ctx, k, kv_heads), ctx.OptionalInput(3), 1);
  v = WithPast(ctx, Heads(ctx, v, kv_heads), ctx.OptionalInput(4), 2);
  if (!ctx.ok()) return;
  AttentionOptions options = OptionsOf(ctx, true);
  // Keys before its own that a query sees; -1: all.
  const int64_t earlier = ctx.Int("local_window_size", -1);
  if (earlier >= 0) options.sliding_window = earlier + 1;
  ctx.Set(0, JoinHeads(b, b.Attention(q, k, v, options)));
}

// x of three or four dims, rotated by cached sines and cosines.
void RotaryEmbedding(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const bool standard = ctx.node().domain.empty();
  const OpId x = ctx.Input(0);
  if (!ctx.ok()) return;
  const Shape shape = b.shape(x);
  const int64_t width = shape.dims.empty() ? 0 : shape.dims.back().factor;
  if (width % 2 != 0 || width < 2) return ctx.Fail("found an odd depth");
  const OpId caches[] = {ctx.Input(standard ? 1 : 2), ctx.Input(standard ? 2 : 3)};
  const OpId low = StridedSlice(b, x, -1, 0, width / 2, 1);
  const OpId high = StridedSlice(b, x, -1, width / 2, width, 1);
  // The rows of the caches that the positions ask for, alike for all heads:
  // elementwise work on x either way.
  const Shape half = b.shape(low);
  const auto factor = [&](OpId cache) {
    const OpId one =
        ReduceOf(b, Reduction::kMax, b.Convert(cache, half.dtype), AllDims(b, cache), false);
    return b.BroadcastTo(one, half.dims);
  };
  const OpId cosine = factor(caches[0]);
  const OpId sine = factor(caches[1]);
  const auto mixed = [&](OpKind kind, OpId p, OpId r) {
    return b.Binary(kind, b.Binary(OpKind::kMultiply, p, cosine),
                    b.Binary(OpKind::kMultiply, r, sine));
  };
  if (!ctx.ok()) return;
  ctx.Set(0, b.Concatenate({mixed(OpKind::kSubtract, low, high), mixed(OpKind::kAdd, high, low)},
                           shape.rank() - 1));
}

// Words, positions and segments looked up and added, then normalised.
void EmbedLayerNormalization(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId words = ctx.Input(0);
  OpId sum = b.Gather(ctx.Input(2), words);
  if (!ctx.ok()) return;
  const Shape shape = b.shape(sum);
  if (shape.rank() != 3 || shape.dims[1].per_batch) {
    return ctx.Fail("found no [batch, tokens] of words");
  }
  const OpId rows = b.SliceDim(ctx.Input(3), 0, 0, shape.dims[1].factor);
  sum = BinaryOf(b, OpKind::kAdd, sum, rows);
  if (ctx.Has(1) && ctx.Has(4)) {
    sum = b.Binary(OpKind::kAdd, sum, b.Gather(ctx.Input(4), ctx.Input(1)));
  }
  ctx.Set(0, LayerNormOf(b, sum, ctx.OptionalInput(5), ctx.OptionalInput(6), {2},
                         ctx.Float("epsilon", 1e-12)));
  if (ctx.Wants(1)) {
    const OpId mask = ctx.Has(7) ? ctx.Input(7) : words;
    ctx.Set(1, b.Convert(b.Reduce(Reducer::kSum, mask, {1}), DType::kS32));
  }
  if (ctx.Wants(2)) ctx.Set(2, sum);
}

constexpr OpEntry kAttentionOps[] = {
    {kStandard, "Attention", Attention},
    {kStandard, "RotaryEmbedding", RotaryEmbedding},
    {kMicrosoft, "RotaryEmbedding", RotaryEmbedding},
    {kMicrosoft, "Attention", FusedAttention},
    {kMicrosoft, "MultiHeadAttention", MultiHeadAttention},
    {kMicrosoft, "GroupQueryAttention", GroupQueryAttention},
    {kMicrosoft, "EmbedLayerNormalization", EmbedLayerNormalization},
};

}  // namespace

std::span<const OpEntry> AttentionOps() { return kAttentionOps; }

}  // namespace tilewise::onnx
