// The nodes of a graph or of a function's body, with their inputs resolved to
// node numbers.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "base/status.h"
#include "frontend/tensorflow/graph_def.h"

namespace tilewise::tf {

// Result `output` of node `node`. Arguments of a function are numbered after
// its nodes: argument k is node nodes().size() + k.
struct Edge {
  int32_t node = -1;  // -1: there is no such node
  int32_t output = 0;
  bool operator==(const Edge&) const = default;
};

class GraphIndex {
 public:
  // `function`: null for the graph itself. Both outlive the index. Errors: two
  // nodes of one name.
  static absl::StatusOr<GraphIndex> Make(const GraphDef& graph, const FunctionDef* function);

  std::span<const NodeDef> nodes() const { return nodes_; }
  const NodeDef& node(int32_t i) const { return nodes_[i]; }
  int32_t size() const { return static_cast<int32_t>(nodes_.size()); }
  bool IsArgument(int32_t node) const { return node >= size(); }
  const FunctionDef* function() const { return function_; }
  // Data inputs in order.
  std::span<const Edge> inputs(int32_t node) const;
  // The nodes of control inputs ("^node").
  std::vector<int32_t> ControlInputs(int32_t node) const;
  // A text such as "node:1"; with function: "node:output:0".
  Edge Resolve(std::string_view text) const;
  // The node of that name, or -1.
  int32_t Find(std::string_view name) const;
  // The text of data input k of a node, for messages.
  std::string_view InputText(int32_t node, size_t k) const;

 private:
  // A node by its number or by its name: the table holds numbers alone, four
  // bytes for each of a million nodes.
  struct Names {
    using is_transparent = void;
    std::string_view Of(std::string_view name) const { return name; }
    std::string_view Of(int32_t node) const { return nodes[node].name; }
    const NodeDef* nodes = nullptr;
  };
  struct Hash : Names {
    size_t operator()(auto node) const { return absl::Hash<std::string_view>{}(Of(node)); }
  };
  struct Equal : Names {
    bool operator()(auto a, auto b) const { return Of(a) == Of(b); }
  };
  using NodesByName = absl::flat_hash_set<int32_t, Hash, Equal>;

  void ResolveInputs(int32_t node);

  const GraphDef* graph_ = nullptr;
  const FunctionDef* function_ = nullptr;
  std::span<const NodeDef> nodes_;
  NodesByName by_name_;
  absl::flat_hash_map<std::string_view, int32_t> arguments_;  // by name
  std::vector<uint32_t> first_input_;                         // size() + 1
  std::vector<Edge> inputs_;
};

}  // namespace tilewise::tf
