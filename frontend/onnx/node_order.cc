// The format wants nodes sorted; files that are not are sorted here.

#include <algorithm>

#include <fmt/format.h>

#include "absl/container/flat_hash_set.h"
#include "frontend/onnx/graph_reader.h"

namespace tilewise::onnx {
namespace {

using Producers = absl::flat_hash_map<std::string_view, size_t>;

absl::StatusOr<Producers> ProducersOf(const std::vector<NodeView>& nodes) {
  Producers producers;
  producers.reserve(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const std::string_view output : nodes[i].outputs) {
      if (output.empty()) continue;
      if (!producers.emplace(output, i).second) {
        return InvalidInput(
            fmt::format("node of {}{}{}: found {}, which another node makes, "
                        "too",
                        nodes[i].op_type, nodes[i].name.empty() ? "" : " ", nodes[i].name, output));
      }
    }
  }
  return producers;
}

// These are the nodes that read each node, and how many nodes each waits for.
struct Dependences {
  std::vector<std::vector<size_t>> users;
  std::vector<size_t> waits;
  bool sorted = true;
};

Dependences DependencesOf(const std::vector<NodeView>& nodes, const Producers& producers) {
  Dependences found;
  found.users.resize(nodes.size());
  found.waits.resize(nodes.size(), 0);
  std::vector<std::string_view> reads;
  for (size_t i = 0; i < nodes.size(); ++i) {
    reads.clear();
    AppendReads(nodes[i], reads);
    for (const std::string_view read : reads) {
      const auto at = producers.find(read);
      if (at == producers.end()) continue;
      found.users[at->second].push_back(i);
      ++found.waits[i];
      found.sorted = found.sorted && at->second < i;
    }
  }
  return found;
}

}  // namespace

void AppendReads(const NodeView& node, std::vector<std::string_view>& names) {
  names.insert(names.end(), node.inputs.begin(), node.inputs.end());
  for (const AttributeView& attribute : node.attributes) {
    if (!attribute.graph) continue;
    const GraphView& graph = *attribute.graph;
    std::vector<std::string_view> reads;
    absl::flat_hash_set<std::string_view> own;
    for (const ValueInfoView& input : graph.inputs) own.insert(input.name);
    for (const TensorView& tensor : graph.initializers) own.insert(tensor.name);
    for (const NodeView& inner : graph.nodes) {
      AppendReads(inner, reads);
      own.insert(inner.outputs.begin(), inner.outputs.end());
    }
    for (const ValueInfoView& output : graph.outputs) {
      reads.push_back(output.name);
    }
    for (const std::string_view read : reads) {
      if (!own.contains(read)) names.push_back(read);
    }
  }
}

absl::StatusOr<std::vector<size_t>> OrderOf(const std::vector<NodeView>& nodes) {
  TW_ASSIGN_OR_RETURN(const Producers producers, ProducersOf(nodes));
  Dependences found = DependencesOf(nodes, producers);
  std::vector<size_t> order;
  order.reserve(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (found.sorted || found.waits[i] == 0) order.push_back(i);
  }
  if (found.sorted) return order;
  for (size_t next = 0; next < order.size(); ++next) {
    for (const size_t user : found.users[order[next]]) {
      if (--found.waits[user] == 0) order.push_back(user);
    }
  }
  if (order.size() == nodes.size()) return order;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (found.waits[i] == 0) continue;
    return InvalidInput(fmt::format("node {} ({}): found a cycle of nodes that wait for each other",
                                    nodes[i].name.empty() ? nodes[i].outputs[0] : nodes[i].name,
                                    nodes[i].op_type));
  }
  return order;
}

}  // namespace tilewise::onnx
