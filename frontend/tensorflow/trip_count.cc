// Conditions are comparisons joined by LogicalAnd; counters start at a known
// number and change by a constant.

#include "frontend/tensorflow/trip_count.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "frontend/tensorflow/attr_value.h"
#include "frontend/tensorflow/loop_frames.h"
#include "library/trip_count.h"

namespace tilewise::tf {
namespace {

constexpr int kMaxCounterChain = 1000;
constexpr size_t kMaxCounterParts = 64;
// "No limit", as maximum_iterations has it.
constexpr double kNoLimit = 2147483647.0;
constexpr double kMaxIterations = 1e9;

struct NamedComparison {
  std::string_view op;
  Comparison comparison;
  Comparison mirrored;  // with the operands exchanged
};
constexpr NamedComparison kComparisons[] = {
    {"Less", Comparison::kLt, Comparison::kGt},
    {"LessEqual", Comparison::kLe, Comparison::kGe},
    {"Greater", Comparison::kGt, Comparison::kLt},
    {"GreaterEqual", Comparison::kGe, Comparison::kLe},
    {"NotEqual", Comparison::kNe, Comparison::kNe},
};

// Returns the iterations that one comparison allows; nullopt: not known.
// Infinity: it never ends the loop.
std::optional<double> IterationsOf(const GraphIndex& index, int32_t node, const LoopQuery& query) {
  const std::span<const Edge> inputs = index.inputs(node);
  if (inputs.size() != 2) return std::nullopt;
  const auto* const named =
      std::ranges::find(kComparisons, index.node(node).op, &NamedComparison::op);
  if (named == std::end(kComparisons)) return std::nullopt;
  Comparison comparison = named->comparison;
  int variable = query.variable(inputs[0]);
  Edge limit_edge = inputs[1];
  if (variable < 0) {
    variable = query.variable(inputs[1]);
    limit_edge = inputs[0];
    comparison = named->mirrored;
  }
  if (variable < 0) return std::nullopt;
  const std::optional<double> initial = query.initial(variable);
  const std::optional<double> step = query.step(variable);
  const std::optional<double> limit = query.invariant(limit_edge);
  const bool rises = comparison == Comparison::kLt || comparison == Comparison::kLe;
  if (limit && rises && *limit >= kNoLimit) return HUGE_VAL;
  if (!initial || !step || !limit) return std::nullopt;
  return IterationsWhile(comparison, *initial - *limit, *step);
}

}  // namespace

Edge ThroughIdentities(const GraphIndex& index, Edge edge) {
  for (int i = 0; i < kMaxCounterChain; ++i) {
    if (edge.node < 0 || index.IsArgument(edge.node)) return edge;
    const std::string_view op = index.node(edge.node).op;
    const std::span<const Edge> inputs = index.inputs(edge.node);
    const bool hands_on =
        IsIdentity(op) || op == "Cast" || op == "LoopCond" || op == "ToBool" || op == "Squeeze";
    if (!hands_on || inputs.empty()) return edge;
    edge = inputs[0];
  }
  return edge;
}

std::optional<TripCount> FindIterations(const GraphIndex& index, Edge condition,
                                        const LoopQuery& query) {
  std::vector<Edge> parts = {condition};
  std::optional<double> least;
  bool all = true;
  for (size_t i = 0; i < parts.size() && i < kMaxCounterParts; ++i) {
    const Edge edge = ThroughIdentities(index, parts[i]);
    if (edge.node < 0 || index.IsArgument(edge.node)) {
      all = false;
      continue;
    }
    const std::string_view op = index.node(edge.node).op;
    if (op == "LogicalAnd") {
      for (const Edge& part : index.inputs(edge.node)) parts.push_back(part);
      continue;
    }
    const std::optional<double> trips = IterationsOf(index, edge.node, query);
    if (!trips) {
      all = false;
    } else if (std::isfinite(*trips) && (!least || *trips < *least)) {
      least = trips;
    }
  }
  if (!least || *least > kMaxIterations) return std::nullopt;
  return TripCount{static_cast<int64_t>(*least), !all};
}

namespace {

constexpr size_t kMaxWalk = 20'000;  // nodes of one condition

}  // namespace

std::optional<double> NumberOf(const Value& value) {
  return value.known() != nullptr ? KnownReal(*value.known()) : std::nullopt;
}

std::optional<double> ConstantAt(const GraphIndex& index, Edge edge) {
  edge = ThroughIdentities(index, edge);
  if (edge.node < 0 || index.IsArgument(edge.node)) return std::nullopt;
  const NodeDef& node = index.node(edge.node);
  if (node.op != "Const") return std::nullopt;
  const auto tensor = AttrTensor(node.attrs, "value");
  if (!tensor || !tensor->known) return std::nullopt;
  return KnownReal(*tensor->known);
}

std::optional<double> StepOf(const GraphIndex& index, Edge updated,
                             const std::function<bool(Edge)>& is_variable,
                             const std::function<std::optional<double>(Edge)>& number_at) {
  updated = ThroughIdentities(index, updated);
  if (updated.node < 0 || index.IsArgument(updated.node)) return std::nullopt;
  const std::string_view op = index.node(updated.node).op;
  const std::span<const Edge> inputs = index.inputs(updated.node);
  if (inputs.size() != 2) return std::nullopt;
  const bool adds = op == "Add" || op == "AddV2";
  if (!adds && op != "Sub") return std::nullopt;
  if (is_variable(ThroughIdentities(index, inputs[0]))) {
    const std::optional<double> step = number_at(inputs[1]);
    if (!step) return std::nullopt;
    return adds ? *step : -*step;
  }
  if (adds && is_variable(ThroughIdentities(index, inputs[1]))) {
    return number_at(inputs[0]);
  }
  return std::nullopt;
}

bool DependsOn(const GraphIndex& index, Edge edge, const absl::flat_hash_map<int32_t, int>& stops) {
  std::vector<int32_t> stack = {edge.node};
  absl::flat_hash_map<int32_t, bool> seen;
  while (!stack.empty()) {
    const int32_t node = stack.back();
    stack.pop_back();
    if (node < 0 || !seen.try_emplace(node, true).second) continue;
    if (stops.contains(node) || seen.size() > kMaxWalk) return true;
    for (const Edge& input : index.inputs(node)) stack.push_back(input.node);
  }
  return false;
}

}  // namespace tilewise::tf
