// One evaluation of a graph or of a function's body: the values of its nodes so
// far.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "frontend/tensorflow/graph_index.h"
#include "library/value.h"

namespace tilewise::tf {

class Instance {
 public:
  // `call`: attributes of the call, which placeholders in the body refer to.
  Instance(const GraphIndex& index, Attrs call, int depth)
      : index_(index),
        call_(call),
        depth_(depth),
        nodes_(static_cast<size_t>(index.size()) + Arguments(index)) {
    values_.reserve(nodes_.size());  // nearly all nodes have one
  }

  const GraphIndex& index() const { return index_; }
  Attrs call() const { return call_; }
  int depth() const { return depth_; }

  bool done(int32_t node) const { return At(node).state == State::kDone; }
  bool waiting(int32_t node) const { return At(node).state == State::kWaiting; }
  void SetWaiting(int32_t node) { At(node).state = State::kWaiting; }
  void Set(int32_t node, std::span<const Value> values) {
    Node& at = At(node);
    at.state = State::kDone;
    at.first = static_cast<uint32_t>(values_.size());
    at.count = static_cast<uint32_t>(values.size());
    values_.insert(values_.end(), values.begin(), values.end());
  }
  void Set(int32_t node, std::initializer_list<Value> values) {
    Set(node, std::span<const Value>(values.begin(), values.size()));
  }
  void Set(int32_t node, const Value& value) { Set(node, std::span<const Value>(&value, 1)); }
  // Returns nothing when the node has no such result, or was not evaluated.
  Value Get(Edge edge) const {
    if (edge.node < 0) return {};
    const Node& at = At(edge.node);
    if (at.state != State::kDone || edge.output < 0 ||
        static_cast<uint32_t>(edge.output) >= at.count) {
      return {};
    }
    return values_[at.first + static_cast<uint32_t>(edge.output)];
  }

  int32_t count(int32_t node) const { return static_cast<int32_t>(At(node).count); }

  // This is the number of the input that a Merge chose, for each one that did.
  std::map<int32_t, int32_t> merge_choice;

 private:
  enum class State : uint8_t { kNew, kWaiting, kDone };
  struct Node {
    uint32_t first = 0;
    uint32_t count = 0;
    State state = State::kNew;
  };
  static size_t Arguments(const GraphIndex& index) {
    return index.function() != nullptr ? index.function()->inputs.size() : 0;
  }
  Node& At(int32_t node) { return nodes_[node]; }
  const Node& At(int32_t node) const { return nodes_[node]; }

  const GraphIndex& index_;
  Attrs call_;
  int depth_;
  std::vector<Node> nodes_;
  std::vector<Value> values_;
};

}  // namespace tilewise::tf
