// See cycle.h.

#include "frontend/tensorflow/cycle.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graph/topological_order.h"

namespace tilewise::tf {
namespace {

constexpr size_t kShown = 8;

}  // namespace

std::string DescribeCycle(const GraphIndex& index, std::span<const int32_t> cycle) {
  std::string names;
  for (size_t i = 0; i < std::min(cycle.size(), kShown); ++i) {
    names += fmt::format("{} -> ", index.node(cycle[i]).name);
  }
  if (cycle.size() > kShown) {
    names += fmt::format("... ({} more) -> ", cycle.size() - kShown);
  }
  return fmt::format(
      "nodes form a cycle: {}{}, expected no node to need its own result but "
      "through NextIteration",
      names, index.node(cycle[0]).name);
}

std::string FindCycle(const GraphIndex& index) {
  std::vector<std::pair<int32_t, int32_t>> edges;
  const auto add = [&](int32_t from, int32_t to) {
    if (from < 0 || index.IsArgument(from)) return;
    const std::string_view op = index.node(from).op;
    const bool ends = op == "NextIteration" || op == "RefNextIteration";
    if (!ends) edges.emplace_back(from, to);
  };
  for (int32_t node = 0; node < index.size(); ++node) {
    for (const Edge& edge : index.inputs(node)) add(edge.node, node);
    for (const int32_t control : index.ControlInputs(node)) add(control, node);
  }
  const TopologicalOrder order = OrderTopologically(index.size(), edges);
  return order.cycle.empty() ? "" : DescribeCycle(index, order.cycle);
}

}  // namespace tilewise::tf
