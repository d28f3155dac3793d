// Routing by masks, and the feed-forward networks of all experts at once.

#include "zoo/experts.h"

#include <algorithm>
#include <cmath>

namespace tilewise {
namespace {

// What the router decides, all f32 [batch, position, expert].
struct Routing {
  OpId chosen = kNoOp;   // 1 for the experts of a token, else 0
  OpId weights = kNoOp;  // of their results; sum to 1 for each token
};

// 1 where a score is among the `top_k` largest of its row.
OpId ChooseLargest(Net& net, OpId scores, int64_t top_k) {
  GraphBuilder& b = net.builder;
  const OpId smallest = b.SliceDim(b.TopK(scores, top_k), 2, top_k - 1, top_k);
  return b.Convert(
      b.Compare(Comparison::kGe, scores, b.BroadcastTo(smallest, net.shape(scores).dims)),
      DType::kF32);
}

Routing Route(Net& net, OpId x, const Transformer& shape) {
  GraphBuilder& b = net.builder;
  const OpId logits = net.Dense(x, shape.experts, false);
  const OpId scores = b.Softmax(b.Convert(logits, DType::kF32), 2);
  Routing routing;
  routing.chosen = ChooseLargest(net, scores, shape.top_k);
  const OpId kept = b.Binary(OpKind::kMultiply, scores, routing.chosen);
  const std::vector<Dim> dims = net.shape(kept).dims;
  const OpId sum = b.Broadcast(b.Reduce(Reducer::kSum, kept, {2}), dims, {0, 1});
  routing.weights = b.Binary(OpKind::kDivide, kept, sum);
  return routing;
}

// How many earlier positions chose the same expert, where this one did.
OpId Earlier(Net& net, OpId chosen) {
  const OpId so_far = net.builder.Cumulative(Reducer::kSum, chosen, 1);
  return net.builder.BinaryScalar(OpKind::kSubtract, so_far, 1);
}

// 1 where a token has a slot of an expert: [batch, position, expert, slot].
// Tokens beyond the last slot have none.
OpId SlotMask(Net& net, OpId chosen, int64_t slots) {
  GraphBuilder& b = net.builder;
  std::vector<Dim> dims = net.shape(chosen).dims;
  dims.push_back({slots, false});
  const OpId place = b.Broadcast(Earlier(net, chosen), dims, {0, 1, 2});
  const OpId slot = b.Broadcast(b.Iota(Shape::Of(DType::kF32, {slots}), 0), dims, {3});
  const OpId here = b.Convert(b.Compare(Comparison::kEq, place, slot), net.compute_type());
  const OpId mine = b.Broadcast(b.Convert(chosen, net.compute_type()), dims, {0, 1, 2});
  return b.Binary(OpKind::kMultiply, here, mine);
}

// x [batch, expert, slot, feature], or with the expert first after the first
// product, times one matrix per expert.
OpId PerExpert(Net& net, std::string_view name, OpId x, int64_t expert_dim,
               const std::vector<int64_t>& sizes) {
  return net.Product(x, net.Weight(name, sizes), {{expert_dim}, {0}, {3}, {1}});
}

OpId Networks(Net& net, OpId tokens, const Transformer& shape) {
  const int64_t experts = shape.experts;
  const std::vector<int64_t> wide = {experts, shape.d_model, shape.d_ff};
  OpId y = ActivateNamed(net, shape.act, PerExpert(net, "up", tokens, 1, wide));
  if (shape.gated) {
    y = net.builder.Binary(OpKind::kMultiply, y, PerExpert(net, "gate", tokens, 1, wide));
  }
  return PerExpert(net, "down", y, 0, {experts, shape.d_ff, shape.d_model});
}

}  // namespace

OpId RunExperts(Net& net, const std::string& name, OpId x, const Transformer& shape) {
  GraphBuilder& b = net.builder;
  net.Layer(name + "/router");
  const Routing routing = Route(net, x, shape);
  const auto positions = static_cast<double>(net.shape(x).dims[1].factor);
  const double even =
      positions * static_cast<double>(shape.top_k) / static_cast<double>(shape.experts);
  const auto slots = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(even * shape.capacity)));
  net.Layer(name + "/dispatch");
  const OpId mask = SlotMask(net, routing.chosen, slots);
  const OpId tokens = b.Dot(mask, x, {{0}, {0}, {1}, {1}});
  net.Layer(name + "/experts");
  const OpId y = Networks(net, tokens, shape);  // [expert, batch, slot, feature]
  net.Layer(name + "/combine");
  const OpId weights =
      b.Broadcast(b.Convert(routing.weights, net.compute_type()), net.shape(mask).dims, {0, 1, 2});
  return b.Dot(b.Binary(OpKind::kMultiply, mask, weights), y, {{0}, {1}, {2, 3}, {0, 2}});
}

}  // namespace tilewise
