// What an instruction of a module becomes in the graph: an op, a tree of them
// (tuples are taken apart), or nothing: tokens, arrays without elements.

#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "graph/op.h"

namespace tilewise::hlo {

class Value {
 public:
  Value() = default;           // nothing
  Value(OpId op) : op_(op) {}  // NOLINT: an op is a value
  // Shares its elements with its copies.
  static Value Tuple(std::vector<Value> elements) {
    Value value;
    for (const Value& element : elements) {
      value.depth_ = std::max(value.depth_, element.depth_ + 1);
    }
    value.depth_ = std::max(value.depth_, 1);
    value.elements_ = std::make_shared<const std::vector<Value>>(std::move(elements));
    return value;
  }

  bool is_op() const { return op_ != kNoOp; }
  bool is_tuple() const { return elements_ != nullptr; }
  OpId op() const { return op_; }  // kNoOp if it is none
  std::span<const Value> elements() const {
    return elements_ ? std::span<const Value>(*elements_) : std::span<const Value>();
  }
  int depth() const { return depth_; }  // tuples in each other

 private:
  OpId op_ = kNoOp;
  int depth_ = 0;
  std::shared_ptr<const std::vector<Value>> elements_;
};

// The ops of a tree, in order.
inline void AppendLeaves(const Value& value, std::vector<OpId>& leaves) {
  if (value.is_op()) leaves.push_back(value.op());
  for (const Value& element : value.elements()) AppendLeaves(element, leaves);
}

// The tree with `change` made to each op.
template <typename Change>
Value MapLeaves(const Value& value, const Change& change) {
  if (value.is_op()) return change(value.op());
  if (!value.is_tuple()) return value;
  std::vector<Value> elements;
  elements.reserve(value.elements().size());
  for (const Value& element : value.elements()) {
    elements.push_back(MapLeaves(element, change));
  }
  return Value::Tuple(std::move(elements));
}

}  // namespace tilewise::hlo
