// Ensembles of decision trees. XLA has no op for them: all trees are walked
// down at once, a level on each iteration of a loop, by gathers from tables of
// their nodes (the tree traversal of Nakandala, Saur, Yu, Karanasos, Curino,
// Weimer, Interlandi: "A Tensor Compiler for Unified Machine Learning
// Prediction Serving", OSDI 2020). Walks end at the depth of the deepest tree;
// leaves lead to themselves.

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "frontend/onnx/ops/classical.h"
#include "library/broadcast.h"
#include "library/gather.h"
#include "library/trip_count.h"

namespace tilewise::onnx {
namespace {

constexpr int32_t kLeaf = -1;

struct Forest {
  std::vector<std::array<int32_t, 2>> children;  // by node; kLeaf: none
  std::vector<int32_t> roots;
  int64_t leaves = 0;  // apart from the nodes, in a table of their own
};

// A node has a row in each of some lists, and names others by tree and number.
Forest ForestOfRows(NodeContext& ctx) {
  const std::vector<int64_t> trees = ctx.Ints("nodes_treeids");
  const std::vector<int64_t> numbers = ctx.Ints("nodes_nodeids");
  const std::array<std::vector<int64_t>, 2> next = {ctx.Ints("nodes_truenodeids"),
                                                    ctx.Ints("nodes_falsenodeids")};
  const AttributeView* modes = ctx.Find("nodes_modes");
  const size_t count = trees.size();
  Forest forest;
  if (modes == nullptr || numbers.size() != count || next[0].size() != count ||
      next[1].size() != count || modes->strings.size() != count) {
    return {};
  }
  std::map<std::pair<int64_t, int64_t>, int32_t> places;
  for (size_t i = 0; i < count; ++i) {
    places.try_emplace({trees[i], numbers[i]}, static_cast<int32_t>(i));
  }
  forest.children.assign(count, {kLeaf, kLeaf});
  std::vector<bool> is_child(count);
  for (size_t i = 0; i < count; ++i) {
    if (modes->strings[i] == "LEAF") continue;
    for (const size_t side : {size_t{0}, size_t{1}}) {
      const auto at = places.find({trees[i], next[side][i]});
      if (at == places.end()) continue;
      forest.children[i][side] = at->second;
      is_child[at->second] = true;
    }
  }
  for (size_t i = 0; i < count; ++i) {
    if (!is_child[i]) forest.roots.push_back(static_cast<int32_t>(i));
  }
  return forest;
}

// Nodes and leaves have lists of their own, and name each other by index.
Forest ForestOfRoots(NodeContext& ctx) {
  const std::array<std::vector<int64_t>, 2> next = {ctx.Ints("nodes_truenodeids"),
                                                    ctx.Ints("nodes_falsenodeids")};
  const std::array<std::vector<int64_t>, 2> is_leaf = {ctx.Ints("nodes_trueleafs"),
                                                       ctx.Ints("nodes_falseleafs")};
  const size_t count = next[0].size();
  Forest forest;
  forest.leaves = static_cast<int64_t>(ctx.Ints("leaf_targetids").size());
  if (next[1].size() != count || is_leaf[0].size() != count || is_leaf[1].size() != count ||
      forest.leaves == 0) {
    return {};
  }
  const auto is_node = [&](int64_t place) {
    return place >= 0 && place < static_cast<int64_t>(count);
  };
  forest.children.assign(count, {kLeaf, kLeaf});
  for (size_t i = 0; i < count; ++i) {
    for (const size_t side : {size_t{0}, size_t{1}}) {
      if (is_leaf[side][i] != 0 || !is_node(next[side][i])) continue;
      forest.children[i][side] = static_cast<int32_t>(next[side][i]);
    }
  }
  for (const int64_t root : ctx.Ints("tree_roots")) {
    if (is_node(root)) forest.roots.push_back(static_cast<int32_t>(root));
  }
  return forest;
}

// Decisions on the longest way down; each node is looked at once.
int64_t DepthOf(const Forest& forest) {
  std::vector<bool> seen(forest.children.size());
  std::vector<int32_t> level = forest.roots;
  int64_t depth = 0;
  while (true) {
    std::vector<int32_t> below;
    for (const int32_t node : level) {
      if (seen[node]) continue;
      seen[node] = true;
      for (const int32_t child : forest.children[node]) {
        if (child != kLeaf) below.push_back(child);
      }
    }
    if (below.empty()) return depth + (forest.leaves > 0 ? 1 : 0);
    ++depth;
    level = std::move(below);
  }
}

class Walk {
 public:
  Walk(NodeContext& ctx, const Forest& forest)
      : ctx_(ctx),
        b_(ctx.builder()),
        nodes_(static_cast<int64_t>(forest.children.size())),
        rows_(nodes_ + forest.leaves),
        trees_(static_cast<int64_t>(forest.roots.size())),
        depth_(std::max<int64_t>(DepthOf(forest), 1)) {}

  // f32[n, targets] of f32[n, features].
  OpId Scores(OpId x, int64_t targets, Reducer join) {
    if (!b_.ok()) return kNoOp;
    const Dim n = b_.shape(x).dims[0];
    const OpId start =
        b_.Broadcast(Table("roots", DType::kS32, {trees_}), {n, {trees_, false}}, {1});
    const OpId reached = Descend(x, start);
    const OpId leaves = Table("leaf_weights", DType::kF32, {rows_, targets});
    return b_.Reduce(join, b_.Gather(leaves, reached), {1});
  }

 private:
  OpId Table(std::string_view name, DType type, const std::vector<int64_t>& sizes) {
    return b_.Variable(Shape::Of(type, sizes), name, /*trainable=*/false);
  }

  OpId Descend(OpId x, OpId start) {
    const OpId features = Table("features", DType::kS32, {rows_});
    const OpId bounds = Table("thresholds", DType::kF32, {rows_});
    const OpId yes = Table("true_nodes", DType::kS32, {rows_});
    const OpId no = Table("false_nodes", DType::kS32, {rows_});
    const EnclosingLoop outer = ctx_.loop();
    b_.SetLoop(LoopWithin(outer, ctx_.NewLoop(), depth_));
    const OpId at = b_.Barrier(start, {});
    const OpId value = TakeElements(b_, x, b_.Gather(features, at), 1);
    const OpId goes = b_.Compare(Comparison::kLe, value, b_.Gather(bounds, at));
    const OpId next = b_.Select(goes, b_.Gather(yes, at), b_.Gather(no, at));
    b_.SetLoop(outer);
    return next;
  }

  NodeContext& ctx_;
  GraphBuilder& b_;
  int64_t nodes_, rows_, trees_, depth_;
};

OpId EnsembleScores(NodeContext& ctx, const Forest& forest, int64_t targets,
                    std::string_view aggregate) {
  GraphBuilder& b = ctx.builder();
  const OpId x = FeatureRows(ctx);
  if (!ctx.ok()) return kNoOp;
  Reducer join = Reducer::kSum;
  if (aggregate == "MIN") join = Reducer::kMin;
  if (aggregate == "MAX") join = Reducer::kMax;
  OpId y = Walk(ctx, forest).Scores(x, targets, join);
  if (aggregate == "AVERAGE") {
    y = WithScalar(b, OpKind::kMultiply, y, 1 / static_cast<double>(forest.roots.size()));
  }
  if (ctx.Floats("base_values").empty() || !ctx.ok()) return y;
  const OpId base = b.Variable(Shape::Of(DType::kF32, {targets}), "base_values",
                               /*trainable=*/false);
  return b.Binary(OpKind::kAdd, y, AlongDim(b, base, y, 1));
}

Dim RowCount(NodeContext& ctx) {
  const Shape shape = ctx.ShapeOf(0);
  return shape.rank() >= 2 ? shape.dims[0] : Dim{1, false};
}

// Makes opaque scores where the lists make no trees.
void SetOpaqueScores(NodeContext& ctx, size_t i, int64_t targets) {
  ctx.SetOpaque(i, {DType::kF32, {RowCount(ctx), {targets, false}}});
}

int64_t TargetCount(NodeContext& ctx) { return std::max<int64_t>(ctx.Int("n_targets", 1), 1); }

}  // namespace

void TreeEnsembleRegressor(NodeContext& ctx) {
  const Forest forest = ForestOfRows(ctx);
  const int64_t targets = TargetCount(ctx);
  if (forest.roots.empty()) return SetOpaqueScores(ctx, 0, targets);
  ctx.Set(0, Transformed(
                 ctx, EnsembleScores(ctx, forest, targets, ctx.Text("aggregate_function", "SUM"))));
}

void TreeEnsembleClassifier(NodeContext& ctx) {
  const Forest forest = ForestOfRows(ctx);
  const int64_t classes = std::max<int64_t>(ClassCount(ctx), 1);
  if (forest.roots.empty()) {
    const AttributeView* strings = ctx.Find("classlabels_strings");
    const bool named = strings != nullptr && !strings->strings.empty();
    if (named) ctx.SetValue(0, Value::Host());
    if (!named) ctx.SetOpaque(0, {DType::kS64, {RowCount(ctx)}});
    return SetOpaqueScores(ctx, 1, classes);
  }
  const OpId scores = EnsembleScores(ctx, forest, classes, "SUM");
  if (!ctx.ok()) return;
  SetLabels(ctx, scores);
  ctx.Set(1, Transformed(ctx, scores));
}

void TreeEnsemble(NodeContext& ctx) {
  constexpr std::array<std::string_view, 4> kAggregates = {"AVERAGE", "SUM", "MIN", "MAX"};
  const Forest forest = ForestOfRoots(ctx);
  const int64_t targets = TargetCount(ctx);
  if (forest.roots.empty()) return SetOpaqueScores(ctx, 0, targets);
  const auto which =
      static_cast<size_t>(std::clamp<int64_t>(ctx.Int("aggregate_function", 1), 0, 3));
  const OpId scores = EnsembleScores(ctx, forest, targets, kAggregates[which]);
  ctx.Set(0, ctx.builder().Convert(scores, ctx.ShapeOf(0).dtype));
}

}  // namespace tilewise::onnx
