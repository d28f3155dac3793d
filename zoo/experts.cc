// Routing by masks, and by a sort; the feed-forward networks of all experts at
// once, and the way back by the inverse order.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/math.h"
#include "graph/permutation.h"
#include "zoo/transformer_block.h"

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
// matmul, times one matrix per expert.
OpId PerExpert(Net& net, const std::string& name, OpId x, int64_t expert_dim,
               const std::vector<int64_t>& sizes) {
  net.Layer(name);
  return net.Dot(x, net.Weight("kernel", sizes), {{expert_dim}, {0}, {3}, {1}});
}

OpId Networks(Net& net, const std::string& name, OpId tokens, const Transformer& shape) {
  const int64_t experts = shape.experts;
  const std::vector<int64_t> wide = {experts, shape.d_model, shape.d_ff};
  OpId y = ActivateNamed(net, shape.act, PerExpert(net, name + "/up", tokens, 1, wide));
  if (shape.gated) {
    y = net.builder.Binary(OpKind::kMultiply, y, PerExpert(net, name + "/gate", tokens, 1, wide));
  }
  return PerExpert(net, name + "/down", y, 0, {experts, shape.d_ff, shape.d_model});
}

struct Choice {
  // [batch, position, top_k]: of results, compute type, sum to 1; of inputs,
  // f32 and by themselves.
  OpId weights = kNoOp;
  // s32 [batch x position x top_k], sorted by expert: the rows, their experts.
  OpId order = kNoOp;
  OpId experts = kNoOp;
};

Dim Times(Dim dim, int64_t factor) { return {dim.factor * factor, dim.per_batch}; }

// The reordering is a function with a gradient of its own, or a framework
// differentiates it as any gather.
OpId InOrder(Net& net, OpId rows, OpId order, const Transformer& shape) {
  return shape.adds_sorted ? net.builder.Gather(rows, order) : Permute(net.builder, rows, order);
}

// Shares of the chosen experts' scores.
OpId ShareOut(Net& net, OpId largest) {
  GraphBuilder& b = net.builder;
  const OpId sum =
      b.Broadcast(b.Reduce(Reducer::kSum, largest, {2}), net.shape(largest).dims, {0, 1});
  return b.Convert(b.Binary(OpKind::kDivide, largest, sum), net.compute_type());
}

Choice Choose(Net& net, OpId x, const Transformer& shape) {
  GraphBuilder& b = net.builder;
  const OpId logits =
      b.Convert(b.MatMul(x, net.Weight("kernel", {shape.d_model, shape.experts})), DType::kF32);
  const OpId scores = shape.weighs_inputs ? logits : b.Softmax(logits, 2);
  const OpId largest = b.TopK(scores, shape.top_k, 0);
  const OpId experts = b.TopK(scores, shape.top_k, 1);
  const std::vector<Dim> dims = net.shape(largest).dims;
  Choice choice;
  choice.weights =
      shape.weighs_inputs ? b.Unary(OpKind::kLogistic, largest) : ShareOut(net, largest);
  const OpId flat = b.Reshape(experts, {Times(dims[0], dims[1].factor * dims[2].factor)});
  const OpId rows = b.Iota(net.shape(flat), 0);
  choice.order = b.Sort({flat, rows}, 0, false, 1);
  if (shape.bias) choice.experts = b.Sort({flat, rows}, 0, false, 0);
  return choice;
}

// x [expert, token, feature] times one matrix per expert, from features to
// units in blocks of such sizes. The groups are as uneven as the choices. With
// `experts`, that of each token, its bias is added, looked up for each.
OpId PerExpert(Net& net, const std::string& name, OpId x, OpId experts, int64_t units,
               int64_t features_block, int64_t units_block, const Transformer& shape) {
  net.Layer(name);
  const OpId kernel = net.Weight("kernel", {shape.experts, net.last_dim(x), units});
  const OpId y = net.Dot(x, kernel, {{0}, {0}, {2}, {1}},
                         {shape.expert_blocks.rows, features_block, units_block});
  if (experts == kNoOp) return y;
  GraphBuilder& b = net.builder;
  const OpId bias = net.Weight("bias", {shape.experts, units});
  return net.Add(y, b.Reshape(b.Gather(bias, experts), net.shape(y).dims));
}

OpId Networks(Net& net, const std::string& name, OpId x, OpId experts, const Transformer& shape) {
  const GroupBlocks& blocks = shape.expert_blocks;
  const auto widen = [&](const char* part) {
    return PerExpert(net, name + part, x, experts, shape.d_ff, blocks.d_model, blocks.d_ff, shape);
  };
  OpId y = ActivateNamed(net, shape.act, widen("/up"));
  if (shape.gated) {
    y = net.builder.Binary(OpKind::kMultiply, y, widen("/gate"));
  }
  return PerExpert(net, name + "/down", y, experts, shape.d_model, blocks.d_ff, blocks.d_model,
                   shape);
}

// What each of a token's experts gets; weighed in f32, as the router's scores
// are, where its inputs are weighed.
OpId ForEach(Net& net, OpId x, OpId weights, const std::vector<Dim>& each,
             const Transformer& shape) {
  GraphBuilder& b = net.builder;
  if (!shape.weighs_inputs) return b.Broadcast(x, each, {0, 1, 3});
  return b.Binary(OpKind::kMultiply, b.Broadcast(b.Convert(x, DType::kF32), each, {0, 1, 3}),
                  b.Broadcast(weights, each, {0, 1, 2}));
}

// Returns the rows of a group of an example, on the mean. The kernel takes rows
// as they lie; groups that are a dim here would not begin on tiles where the
// rows are no multiple of the experts, and so are made a little longer.
int64_t RowsOfGroup(int64_t rows, int64_t experts) {
  constexpr int64_t kTileRows = 8;
  if (rows % experts == 0) return rows / experts;
  return RoundUp(CeilDiv(rows, experts), kTileRows);
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
  const OpId y = Networks(net, name + "/experts", tokens, shape);  // [expert, batch, slot, feature]
  net.Layer(name + "/combine");
  const OpId weights =
      b.Broadcast(b.Convert(routing.weights, net.compute_type()), net.shape(mask).dims, {0, 1, 2});
  return b.Dot(b.Binary(OpKind::kMultiply, mask, weights), y, {{0}, {1}, {2, 3}, {0, 2}});
}

OpId RunSortedExperts(Net& net, const std::string& name, OpId x, const Transformer& shape) {
  GraphBuilder& b = net.builder;
  const Shape of_x = net.shape(x);
  const int64_t rows = of_x.dims[1].factor * shape.top_k;
  const int64_t each_expert = RowsOfGroup(rows, shape.experts);
  const Dim example = of_x.dims[0];
  const Dim feature = of_x.dims[2];
  net.Layer(name + "/router");
  const Choice choice = Choose(net, x, shape);
  net.Layer(name + "/dispatch");
  const std::vector<Dim> each = {of_x.dims[0], of_x.dims[1], {shape.top_k, false}, feature};
  const OpId repeated =
      b.Reshape(ForEach(net, x, choice.weights, each, shape), {Times(example, rows), feature});
  const Dim in_groups = Times(example, each_expert * shape.experts);
  const OpId order = FitRows(b, choice.order, in_groups);
  const OpId sorted = b.Convert(InOrder(net, repeated, order, shape), net.compute_type());
  const OpId experts = shape.bias ? FitRows(b, choice.experts, in_groups) : kNoOp;
  net.Layer(name + "/experts");
  const OpId y =
      Networks(net, name + "/experts",
               b.Reshape(sorted, {{shape.experts, false}, Times(example, each_expert), feature}),
               experts, shape);
  net.Layer(name + "/combine");
  const OpId back =
      InOrder(net, b.Reshape(y, {in_groups, feature}), InverseOrder(b, choice.order), shape);
  const OpId results = b.Reshape(back, each);
  if (shape.weighs_inputs) return b.Reduce(Reducer::kSum, results, {2});
  return b.Dot(choice.weights, results, {{0, 1}, {0, 1}, {2}, {2}});
}

}  // namespace tilewise
