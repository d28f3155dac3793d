// What the names of an ONNX graph stand for while it is read.

#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "frontend/onnx/model_view.h"
#include "library/value.h"

namespace tilewise::onnx {

// How an op wants a weight: row `row` of dim 0, without that dim (-1: all of
// it); then its dims in this order (empty: as they are).
struct WeightForm {
  int64_t row = -1;
  std::vector<int64_t> order;
  bool operator==(const WeightForm&) const = default;
};

// A tensor of the file that is a variable. It is made when an op first asks for
// it, in the form that this op wants when no other op uses it: the compiler
// lays weights out as their use wants them.
struct Weight {
  std::string name;
  Shape shape;
  bool trainable = false;
  bool one_use = false;
  const TensorView* tensor = nullptr;  // null for an input that is a weight
  std::vector<std::pair<WeightForm, OpId>> made;
};

// The index is the number that values have of their weight.
using WeightList = std::deque<Weight>;

inline Value AddWeight(WeightList& weights, Weight weight) {
  weights.push_back(std::move(weight));
  return Value::OfVariable(static_cast<int32_t>(weights.size()) - 1);
}

// Names of a graph and of the graphs around it.
class Scope {
 public:
  explicit Scope(const Scope* outer = nullptr) : outer_(outer) {}

  const Value* Find(std::string_view name) const {
    for (const Scope* scope = this; scope != nullptr; scope = scope->outer_) {
      const auto at = scope->values_.find(name);
      if (at != scope->values_.end()) return &at->second;
    }
    return nullptr;
  }
  void Define(std::string_view name, Value value) {
    if (!name.empty()) values_.insert_or_assign(name, std::move(value));
  }

 private:
  const Scope* outer_;
  absl::flat_hash_map<std::string_view, Value> values_;  // never iterated
};

}  // namespace tilewise::onnx
