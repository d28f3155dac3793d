// What a name of an ONNX graph stands for while it is read.

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "frontend/onnx/model_view.h"
#include "library/known_value.h"

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

struct Value {
  enum class Kind : uint8_t {
    kTensor,
    kSequence,
    kHost,    // strings, maps: nothing a device holds
    kEmpty,   // no elements, or made from something that has none
    kAbsent,  // an operand that a call leaves out
  };
  Kind kind = Kind::kTensor;
  Shape shape;      // of a tensor; may have dims of size 0 when kEmpty
  OpId op = kNoOp;  // a tensor has one of these three, or op and known
  std::shared_ptr<const KnownValue> known;
  std::shared_ptr<Weight> weight;
  std::shared_ptr<const std::vector<Value>> items;  // of a sequence

  static Value OfOp(OpId id, Shape shape) {
    Value value;
    value.op = id;
    value.shape = std::move(shape);
    return value;
  }
  static Value OfKnown(KnownValue known) {
    Value value;
    value.shape = Shape::Of(known.dtype, known.dims);
    value.known = std::make_shared<const KnownValue>(std::move(known));
    return value;
  }
  static Value OfItems(std::vector<Value> items) {
    Value value;
    value.kind = Kind::kSequence;
    value.items = std::make_shared<const std::vector<Value>>(std::move(items));
    return value;
  }
  static Value Host() {
    Value value;
    value.kind = Kind::kHost;
    return value;
  }
  static Value Absent() {
    Value value;
    value.kind = Kind::kAbsent;
    return value;
  }
  static Value Empty(Shape shape) {
    Value value;
    value.kind = Kind::kEmpty;
    value.shape = std::move(shape);
    return value;
  }
};

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
