// Union-find over the ops that keep the dims of their operands in place.

#include "sim/lowering/layout_assignment/layout_classes.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "sim/lowering/lowering_traits.h"

namespace tilewise {
namespace {

using SameOrder = LoweringTraits::SameOrder;

class DisjointSets {
 public:
  explicit DisjointSets(int32_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int32_t Find(int32_t x) {
    while (At(x) != x) x = At(x) = At(At(x));
    return x;
  }
  // The smaller root stays.
  void Merge(int32_t a, int32_t b) {
    a = Find(a);
    b = Find(b);
    At(std::max(a, b)) = std::min(a, b);
  }

 private:
  int32_t& At(int32_t i) { return parent_[i]; }
  std::vector<int32_t> parent_;
};

}  // namespace

LayoutClasses GroupByLayout(const Graph& graph) {
  DisjointSets sets(graph.size());
  for (const Op& op : graph.ops()) {
    const SameOrder same_order = LoweringTraitsOf(op.kind).same_order;
    if (same_order == SameOrder::kNone) continue;
    for (const OpId operand : op.operands) {
      // What else is waited for, or says where, has dims of its own.
      const bool only_first = same_order == SameOrder::kFirst;
      if (only_first && operand != op.operands[0]) continue;
      // One constant serves ops that have nothing else in common, each in its own order.
      if (graph.op(operand).kind == OpKind::kConstant) continue;
      if (graph.op(operand).shape.rank() == op.shape.rank()) {
        sets.Merge(op.id, operand);
      }
    }
  }
  // The new value of a variable is written over the old one.
  for (const Output& output : graph.outputs()) {
    if (output.role == Output::Role::kState) {
      sets.Merge(output.value, output.variable);
    }
  }
  LayoutClasses classes;
  classes.of_op.assign(graph.size(), -1);
  for (const Op& op : graph.ops()) {
    const size_t root = sets.Find(op.id);
    if (classes.of_op[root] < 0) {
      classes.of_op[root] = static_cast<int32_t>(classes.members.size());
      classes.members.emplace_back();
    }
    const int32_t its_class = classes.of_op[root];
    classes.of_op[op.id] = its_class;
    classes.members[its_class].push_back(op.id);
  }
  return classes;
}

DimOrder LogicalOrder(int64_t rank) {
  DimOrder order;
  for (int64_t dim = rank - 1; dim >= 0; --dim) order.push_back(dim);
  return order;
}

DimOrder TiledOrder(int64_t rank, int64_t lanes, int64_t sublanes) {
  DimOrder order = {lanes, sublanes};
  for (int64_t dim = rank - 1; dim >= 0; --dim) {
    if (dim != lanes && dim != sublanes) order.push_back(dim);
  }
  return order;
}

namespace {

std::vector<DimOrder> OrdersOf(int64_t rank) {
  std::vector<DimOrder> orders = {LogicalOrder(rank)};
  const auto add = [&](DimOrder order) {
    if (std::find(orders.begin(), orders.end(), order) == orders.end()) {
      orders.push_back(std::move(order));
    }
  };
  if (rank < 2) return orders;
  for (int64_t dim = rank - 2; dim > 0; --dim) {
    add(TiledOrder(rank, rank - 1, dim));
    add(TiledOrder(rank, dim, rank - 1));
  }
  for (const int64_t feature : {rank - 1, int64_t{1}}) {
    add(TiledOrder(rank, feature, 0));
    add(TiledOrder(rank, 0, feature));
  }
  return orders;
}

}  // namespace

const std::vector<DimOrder>& CandidateOrders(int64_t rank) {
  thread_local std::map<int64_t, std::vector<DimOrder>> of_rank;  // asked for every op and use
  const auto [known, is_new] = of_rank.try_emplace(rank);
  if (is_new) known->second = OrdersOf(rank);
  return known->second;
}

}  // namespace tilewise
