// Walks up from every reciprocal or square root to the sums it is made of.

#include "rules/operators/written_norm.h"

#include <algorithm>
#include <optional>

namespace tilewise {
namespace {

constexpr size_t kMostNormOps = 32;  // of one normalisation; bounds the walk

bool IsRoot(const Op& op) { return op.kind == OpKind::kRsqrt || op.kind == OpKind::kSqrt; }

// Sums over the batch and all dims but one.
bool SumsPerFeature(const Graph& graph, const Op& op) {
  if (op.kind != OpKind::kReduce || op.as<ReduceAttrs>().reducer != Reducer::kSum) {
    return false;
  }
  const std::vector<int64_t>& dims = op.as<ReduceAttrs>().dims;
  const int64_t rank = graph.operand(op, 0).shape.rank();
  return rank >= 2 && static_cast<int64_t>(dims.size()) == rank - 1 &&
         std::ranges::find(dims, 0) != dims.end();
}

// Elementwise and broadcast ops between two values.
bool IsGlue(const Op& op) {
  return ClassOf(op.kind) == OpClass::kElementwise || op.kind == OpKind::kBroadcast ||
         op.kind == OpKind::kReshape || op.kind == OpKind::kConstant;
}

OpId WithoutConversion(const Graph& graph, OpId id) {
  while (graph.op(id).kind == OpKind::kConvert) id = graph.op(id).operands[0];
  return id;
}

// The sums per feature that `from` is made of through glue, and the ops on the
// way, ascending; at most kMostNormOps.
std::vector<OpId> DownFromSums(const Graph& graph, OpId from) {
  std::vector<OpId> ops = {from};
  for (size_t i = 0; i < ops.size() && ops.size() <= kMostNormOps; ++i) {
    if (SumsPerFeature(graph, graph.op(ops[i]))) continue;
    for (const OpId operand : graph.op(ops[i]).operands) {
      const Op& op = graph.op(operand);
      if (!IsGlue(op) && !SumsPerFeature(graph, op)) continue;
      if (std::ranges::find(ops, operand) == ops.end()) ops.push_back(operand);
    }
  }
  std::ranges::sort(ops);
  return ops;
}

// The only sum per feature among `ops`; none when there is another number.
const Op* OnlySum(const Graph& graph, const std::vector<OpId>& ops) {
  const Op* sum = nullptr;
  for (const OpId id : ops) {
    if (!SumsPerFeature(graph, graph.op(id))) continue;
    if (sum != nullptr) return nullptr;
    sum = &graph.op(id);
  }
  return sum;
}

// The difference that `square` is the square of; null otherwise.
const Op* SquaredDifference(const Graph& graph, OpId square) {
  const Op& op = graph.op(WithoutConversion(graph, square));
  const bool squares = op.kind == OpKind::kMultiply && op.operands[0] == op.operands[1];
  if (!squares) return nullptr;
  const Op& difference = graph.op(WithoutConversion(graph, op.operands[0]));
  return difference.kind == OpKind::kSubtract ? &difference : nullptr;
}

std::optional<WrittenNorm> NormOf(const Graph& graph, OpId root) {
  WrittenNorm norm;
  norm.root = root;
  norm.ops = DownFromSums(graph, root);
  const Op* variance = OnlySum(graph, norm.ops);
  if (variance == nullptr) return std::nullopt;
  const Op* distance = SquaredDifference(graph, variance->operands[0]);
  if (distance == nullptr) return std::nullopt;
  norm.x = WithoutConversion(graph, distance->operands[0]);
  const std::vector<OpId> centre = DownFromSums(graph, distance->operands[1]);
  const Op* mean = OnlySum(graph, centre);
  if (mean == nullptr || mean->as<ReduceAttrs>().dims != variance->as<ReduceAttrs>().dims ||
      WithoutConversion(graph, mean->operands[0]) != norm.x) {
    return std::nullopt;
  }
  norm.mean_sum = mean->id;
  norm.variance_sum = variance->id;
  norm.ops.insert(norm.ops.end(), centre.begin(), centre.end());
  norm.ops.push_back(distance->id);
  norm.ops.push_back(WithoutConversion(graph, variance->operands[0]));
  std::ranges::sort(norm.ops);
  norm.ops.erase(std::ranges::unique(norm.ops).begin(), norm.ops.end());
  return norm;
}

}  // namespace

std::vector<WrittenNorm> FindWrittenNorms(const Graph& graph) {
  std::vector<WrittenNorm> norms;
  for (const Op& op : graph.ops()) {
    if (!IsRoot(op)) continue;
    if (auto norm = NormOf(graph, op.id)) norms.push_back(*std::move(norm));
  }
  return norms;
}

}  // namespace tilewise
