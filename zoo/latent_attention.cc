// Queries, keys and values from narrow vectors.

#include "zoo/latent_attention.h"

#include "library/attention.h"

namespace tilewise {
namespace {

OpId Queries(Net& net, const std::string& name, OpId x, const Transformer& shape) {
  const Latent& latent = *shape.latent;
  const int64_t size = shape.head_dim + latent.rotary_dim;
  net.Layer(name + "/query");
  if (latent.query_rank > 0) {
    x = Normalise(net, net.Dense(x, latent.query_rank, false, "narrow"), Norm::kRms);
  }
  GraphBuilder& b = net.builder;
  const OpId q = SplitHeads(b, net.Dense(x, shape.heads * size, false), shape.heads);
  const OpId turned = Rotate(net, b.SliceDim(q, 3, shape.head_dim, size), *shape.rotary);
  return b.Concatenate({b.SliceDim(q, 3, 0, shape.head_dim), turned}, 3);
}

struct KeysAndValues {
  OpId keys = kNoOp, values = kNoOp;
};

KeysAndValues Expand(Net& net, const std::string& name, OpId x, const Transformer& shape) {
  GraphBuilder& b = net.builder;
  const Latent& latent = *shape.latent;
  net.Layer(name + "/latent");
  const OpId both = net.Dense(x, latent.rank + latent.rotary_dim, false, "narrow");
  const OpId narrow = Normalise(net, b.SliceDim(both, 2, 0, latent.rank), Norm::kRms);
  const OpId rotary =
      SplitHeads(b, b.SliceDim(both, 2, latent.rank, latent.rank + latent.rotary_dim), 1);
  const OpId turned = Rotate(net, rotary, *shape.rotary);
  const int64_t size = shape.head_dim + latent.value_dim;
  const OpId wide = SplitHeads(b, net.Dense(narrow, shape.heads * size, false), shape.heads);
  std::vector<Dim> dims = net.shape(wide).dims;
  dims[3] = {latent.rotary_dim, false};
  const OpId keys =
      b.Concatenate({b.SliceDim(wide, 3, 0, shape.head_dim), b.BroadcastTo(turned, dims)}, 3);
  return {keys, b.SliceDim(wide, 3, shape.head_dim, size)};
}

}  // namespace

OpId LatentAttention(Net& net, const std::string& name, OpId x, const Transformer& shape) {
  const OpId q = Queries(net, name, x, shape);
  const KeysAndValues kv = Expand(net, name, x, shape);
  net.Layer(name + "/attention");
  const OpId y = Attend(net, q, kv.keys, kv.values, shape.attending);
  const OpId joined = JoinHeads(net.builder, y);
  net.Layer(name + "/output");
  return net.Dense(joined, shape.d_model, false);
}

}  // namespace tilewise
