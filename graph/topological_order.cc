// Topological order and cycles, on Boost.Graph. Its depth-first search keeps
// its own stack, so depth is bounded by memory and not by the call stack.

#include "graph/topological_order.h"

#include <algorithm>
#include <functional>
#include <queue>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/range/iterator_range.hpp>

#include "base/check.h"

namespace tilewise {
namespace {

using Digraph = boost::compressed_sparse_row_graph<boost::directedS>;
using MinHeap = std::priority_queue<int32_t, std::vector<int32_t>, std::greater<>>;

auto Successors(const Digraph& graph, int32_t node) {
  return boost::make_iterator_range(boost::adjacent_vertices(static_cast<size_t>(node), graph));
}

// Kahn's algorithm with a heap; shorter than `nodes` when there is a cycle.
std::vector<int32_t> SmallestFirst(const Digraph& graph, int32_t nodes) {
  std::vector<int32_t> missing(nodes, 0);
  for (int32_t node = 0; node < nodes; ++node) {
    for (const size_t next : Successors(graph, node)) ++missing[next];
  }
  MinHeap ready;
  for (int32_t node = 0; node < nodes; ++node) {
    if (missing[node] == 0) ready.push(node);
  }
  std::vector<int32_t> order;
  order.reserve(nodes);
  while (!ready.empty()) {
    const int32_t node = ready.top();
    ready.pop();
    order.push_back(node);
    for (const size_t next : Successors(graph, node)) {
      if (--missing[next] == 0) ready.push(static_cast<int32_t>(next));
    }
  }
  return order;
}

// The shortest way from `start` back to itself, or nothing.
std::vector<int32_t> ShortestCycle(const Digraph& graph, int32_t start,
                                   const std::vector<int32_t>& component) {
  constexpr int32_t kUnreached = -1;
  const int32_t own = component[start];
  std::vector<int32_t> came_from(component.size(), kUnreached);
  std::queue<int32_t> frontier;
  frontier.push(start);
  while (!frontier.empty()) {
    const int32_t node = frontier.front();
    frontier.pop();
    for (const size_t next : Successors(graph, node)) {
      if (static_cast<int32_t>(next) == start) {
        std::vector<int32_t> cycle;
        for (int32_t at = node; at != start; at = came_from[at]) {
          cycle.push_back(at);
        }
        cycle.push_back(start);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
      if (component[next] != own || came_from[next] != kUnreached) continue;
      came_from[next] = node;
      frontier.push(static_cast<int32_t>(next));
    }
  }
  return {};
}

// A node that shares its strong component, or has an edge to itself, lies on a
// cycle; the smallest such node gives the cycle.
std::vector<int32_t> FindCycle(const Digraph& graph, int32_t nodes) {
  std::vector<int32_t> component(nodes, 0);
  const size_t count = boost::strong_components(
      graph,
      boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<int32_t> members(count, 0);
  for (const int32_t c : component) ++members[c];
  for (int32_t node = 0; node < nodes; ++node) {
    const int32_t own = component[node];
    bool on_cycle = members[own] > 1;
    for (const size_t next : Successors(graph, node)) {
      on_cycle = on_cycle || static_cast<int32_t>(next) == node;
    }
    if (on_cycle) return ShortestCycle(graph, node, component);
  }
  return {};
}

}  // namespace

TopologicalOrder OrderTopologically(int32_t nodes,
                                    const std::vector<std::pair<int32_t, int32_t>>& edges) {
  for (const auto& [from, to] : edges) {
    TW_CHECK(from >= 0 && from < nodes && to >= 0 && to < nodes);
  }
  const Digraph graph(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(),
                      static_cast<size_t>(nodes));
  TopologicalOrder result;
  result.order = SmallestFirst(graph, nodes);
  if (static_cast<int32_t>(result.order.size()) == nodes) return result;
  result.order.clear();
  result.cycle = FindCycle(graph, nodes);
  return result;
}

}  // namespace tilewise
