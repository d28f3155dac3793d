// Follows counters and constants through a graph.

#include "frontend/tensorflow/loop_values.h"

#include <vector>

#include "frontend/tensorflow/attr_value.h"
#include "frontend/tensorflow/trip_count.h"

namespace tilewise::tf {
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
