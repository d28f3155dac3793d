// Norms, self-attention and dense feed-forward layers.

#include "zoo/transformer_block.h"

#include <cmath>

#include <fmt/format.h>

#include "library/activations.h"
#include "library/attention.h"
#include "library/normalizations.h"

namespace tilewise {
namespace {

constexpr double kLayerEpsilon = 1e-6;
constexpr double kRotaryBase = 10000;

OpId Project(Net& net, const std::string& layer, OpId x, int64_t heads, const Transformer& shape) {
  net.Layer(layer);
  return SplitHeads(net.builder,
                    net.Dense(x, heads * shape.head_dim, shape.bias || shape.biases_heads), heads);
}

// Keys or values of all positions: the cached ones with `x` in the last places.
OpId WithCached(Net& net, std::string_view name, OpId x, const KeyValueCache& cache) {
  const Shape shape = net.shape(x);
  const OpId earlier =
      net.builder.Variable(Shape::Of(shape.dtype, {shape.dims[0].factor, cache.positions,
                                                   shape.dims[2].factor, shape.dims[3].factor}),
                           name, false);
  const OpId all = net.builder.DynamicUpdateSlice(earlier, x, {cache.first}, {1});
  net.AlsoState(all, earlier);
  return all;
}

// Each head so often, one after the other.
OpId RepeatHeads(Net& net, OpId x, int64_t times) {
  GraphBuilder& b = net.builder;
  const std::vector<Dim> dims = net.shape(x).dims;
  const OpId repeated =
      b.Broadcast(x, {dims[0], dims[1], dims[2], {times, false}, dims[3]}, {0, 1, 2, 4});
  return b.Reshape(repeated, {dims[0], dims[1], {dims[2].factor * times, false}, dims[3]});
}

// [batch, position, head, feature] -> [batch, position, d_model]
OpId JoinHeads(Net& net, const std::string& name, OpId y, const Transformer& shape) {
  const OpId joined = JoinHeads(net.builder, y);
  net.Layer(name + "/output");
  return net.Dense(joined, shape.d_model, shape.bias);
}

OpId DenseNetwork(Net& net, const std::string& name, OpId x, const Transformer& shape,
                  int64_t units) {
  net.Layer(name + "/up");
  OpId y = ActivateNamed(net, shape.act, net.Dense(x, units, shape.bias));
  if (shape.gated) {
    net.Layer(name + "/gate");
    y = net.builder.Binary(OpKind::kMultiply, y, net.Dense(x, units, shape.bias));
  }
  net.Layer(name + "/down");
  return net.Dense(y, shape.d_model, shape.bias);
}

OpId RmsNorm(Net& net, OpId x, std::string_view weight) {
  const OpId scale = net.WideWeight(fmt::format("{}scale", weight), {net.last_dim(x)});
  return RmsNorm(net.builder, x, scale, {-1}, kLayerEpsilon);
}

}  // namespace

absl::StatusOr<Transformer> TransformerShape(const ZooSpec& spec) {
  Transformer shape = {.d_model = spec.Integer("d_model"),
                       .heads = spec.Integer("heads"),
                       .kv_heads = spec.Integer("heads"),
                       .d_ff = spec.Integer("d_ff"),
                       .attending = {.flash = spec.Word("kind") == "flash"},
                       .dropout = static_cast<double>(spec.Integer("dropout")) / 100};
  TW_RETURN_IF_ERROR(CheckDivides("heads", shape.heads, shape.d_model));
  shape.head_dim = shape.d_model / shape.heads;
  shape.attending.dropout = shape.dropout;
  return shape;
}

Rotary MakeRotary(Net& net, int64_t positions, int64_t head_dim) {
  net.Layer("rotary");
  GraphBuilder& b = net.builder;
  const Shape table = Shape::Of(DType::kF32, {positions, std::max<int64_t>(1, head_dim / 2)});
  const OpId position = b.Iota(table, 0);
  const double step = -2 * std::log(kRotaryBase) / static_cast<double>(head_dim);
  const OpId frequency = b.Unary(OpKind::kExp, net.Scale(b.Iota(table, 1), step));
  const OpId angle = b.Binary(OpKind::kMultiply, position, frequency);
  return {b.Unary(OpKind::kCosine, angle), b.Unary(OpKind::kSine, angle)};
}

// The two halves of the last dim turned against each other.
OpId Rotate(Net& net, OpId x, const Rotary& rotary) {
  GraphBuilder& b = net.builder;
  const Shape shape = net.shape(x);  // [batch, position, head, feature]
  const int64_t half = shape.dims[3].factor / 2;
  const OpId first = b.SliceDim(x, 3, 0, half);
  const OpId second = b.SliceDim(x, 3, half, 2 * half);
  const auto times = [&](OpId part, OpId table) {
    const Shape of_part = net.shape(part);
    const OpId factor = b.Broadcast(b.Convert(table, of_part.dtype), of_part.dims, {1, 3});
    return b.Binary(OpKind::kMultiply, part, factor);
  };
  const OpId left =
      b.Binary(OpKind::kSubtract, times(first, rotary.cosine), times(second, rotary.sine));
  const OpId right = net.Add(times(second, rotary.cosine), times(first, rotary.sine));
  return b.Concatenate({left, right}, 3);
}

OpId Normalise(Net& net, OpId x, Norm norm, std::string_view weight) {
  if (norm == Norm::kRms) return RmsNorm(net, x, weight);
  const int64_t features = net.last_dim(x);
  const OpId scale = net.WideWeight(fmt::format("{}gamma", weight), {features});
  const OpId offset = net.WideWeight(fmt::format("{}beta", weight), {features});
  return LayerNormOf(net.builder, x, scale, offset, {-1}, kLayerEpsilon);
}

OpId SelfAttention(Net& net, const std::string& name, OpId x, const Transformer& shape) {
  if (shape.latent) return LatentAttention(net, name, x, shape);
  OpId q = Project(net, name + "/query", x, shape.heads, shape);
  OpId k = Project(net, name + "/key", x, shape.kv_heads, shape);
  OpId v = shape.values_are_keys ? k : Project(net, name + "/value", x, shape.kv_heads, shape);
  net.Layer(name + "/attention");
  if (shape.norms_heads) {
    q = RmsNorm(net, q, "query_");
    k = RmsNorm(net, k, "key_");
  }
  if (shape.rotary) {
    q = Rotate(net, q, *shape.rotary);
    k = Rotate(net, k, *shape.rotary);
  }
  if (shape.cache) {
    k = WithCached(net, "keys", k, *shape.cache);
    v = WithCached(net, "values", v, *shape.cache);
  }
  if (shape.repeats_keys && shape.kv_heads < shape.heads) {
    k = RepeatHeads(net, k, shape.heads / shape.kv_heads);
    v = RepeatHeads(net, v, shape.heads / shape.kv_heads);
  }
  return JoinHeads(net, name, Attend(net, q, k, v, shape.attending), shape);
}

OpId CrossAttention(Net& net, const std::string& name, OpId x, OpId memory,
                    const Transformer& shape) {
  const OpId q = Project(net, name + "/query", x, shape.heads, shape);
  const OpId k = Project(net, name + "/key", memory, shape.kv_heads, shape);
  const OpId v = Project(net, name + "/value", memory, shape.kv_heads, shape);
  net.Layer(name + "/attention");
  Attending attending = shape.attending;
  attending.causal = false;
  attending.sliding_window = 0;
  return JoinHeads(net, name, Attend(net, q, k, v, attending), shape);
}

OpId FeedForward(Net& net, const std::string& name, OpId x, const Transformer& shape) {
  if (shape.experts == 1) return DenseNetwork(net, name, x, shape, shape.d_ff);
  const OpId y =
      shape.drops_tokens ? RunExperts(net, name, x, shape) : RunSortedExperts(net, name, x, shape);
  if (shape.shared_experts == 0) return y;
  return net.Add(y,
                 DenseNetwork(net, name + "/shared", x, shape, shape.shared_experts * shape.d_ff));
}

OpId AddNormed(Net& net, const std::string& norm, OpId x, const Transformer& shape,
               const std::function<OpId(OpId)>& half) {
  net.Layer(norm);
  OpId y = half(Normalise(net, x, shape.norm));
  if (shape.norms_results) {
    net.Layer(norm);
    y = Normalise(net, y, shape.norm, "result_");
  }
  return net.Add(x, net.Dropout(y, shape.dropout));
}

OpId PreNormLayer(Net& net, const std::string& name, OpId x, const Transformer& shape) {
  x = AddNormed(net, name + "/norm1", x, shape,
                [&](OpId y) { return SelfAttention(net, name, y, shape); });
  return AddNormed(net, name + "/norm2", x, shape,
                   [&](OpId y) { return FeedForward(net, name, y, shape); });
}

OpId PostNormLayer(Net& net, const std::string& name, OpId x, const Transformer& shape) {
  OpId y = SelfAttention(net, name, x, shape);
  x = net.Add(x, net.Dropout(y, shape.dropout));
  net.Layer(name + "/norm1");
  x = Normalise(net, x, shape.norm);
  y = FeedForward(net, name, x, shape);
  x = net.Add(x, net.Dropout(y, shape.dropout));
  net.Layer(name + "/norm2");
  return Normalise(net, x, shape.norm);
}

OpId AddPositions(Net& net, OpId x, std::string_view name) {
  const Shape shape = net.shape(x);
  const OpId table = net.Weight(name, {shape.dims[1].factor, shape.dims[2].factor});
  return net.Add(x, net.builder.Broadcast(table, shape.dims, {1, 2}));
}

OpId ActivateNamed(Net& net, std::string_view act, OpId x) {
  GraphBuilder& b = net.builder;
  if (act == "relu") return net.Relu(x);
  if (act == "gelu") return b.Gelu(x, true);
  return Swish(b, x);
}

}  // namespace tilewise
