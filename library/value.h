// What a result of a node of a file is while a graph is made of it.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "library/known_value.h"

namespace tilewise {

// A TensorArray, TensorList or Stack: tensors of one shape, in the graph as one
// tensor [length, element..]. It travels as a value: in the handle of a
// TensorList, in the flow of a TensorArray.
struct TensorList {
  DType dtype = DType::kF32;
  std::optional<std::vector<Dim>> element;  // until known, no element is there
  std::optional<int64_t> length;
  OpId stacked = kNoOp;  // [length, element..]; kNoOp: all zeros so far
  // A list used as a stack has here what was pushed last, by the loop that
  // pushes.
  OpId pushed = kNoOp;
};

struct Value {
  enum class Kind : uint8_t {
    kNone,      // nothing: left out, a control output, what could not be read
    kOp,        // an op of the graph
    kKnown,     // numbers known while reading; made an op when asked for
    kEmpty,     // made from something that has no elements
    kVariable,  // a weight, the handle of a variable or a reference to it
    kList,      // a list of tensors of one shape
    kSequence,  // a list of any values
    kHost,      // strings, datasets, iterators, tables: never on the device
  };
  Kind kind = Kind::kNone;
  OpId op = kNoOp;        // kOp
  int32_t variable = -1;  // kVariable: its number among those of the reader

  using Known = std::shared_ptr<const KnownValue>;
  using List = std::shared_ptr<const TensorList>;
  using Items = std::shared_ptr<const std::vector<Value>>;
  using Stated = std::shared_ptr<const Shape>;
  // Each null in values of other kinds. The last: the shape of what has no
  // elements, or of a tensor of strings, where it is known.
  const Known& known() const { return Held<Known>(); }
  const List& list() const { return Held<List>(); }
  const Items& items() const { return Held<Items>(); }
  const Stated& stated() const { return Held<Stated>(); }

  // An op, numbers, a weight.
  bool is_tensor() const {
    return kind == Kind::kOp || kind == Kind::kVariable || (kind == Kind::kKnown && !is_empty());
  }
  bool is_empty() const { return kind == Kind::kEmpty || (known() && known()->size() == 0); }

  static Value Of(OpId op);  // kNone for kNoOp
  static Value Of(KnownValue value);
  static Value Of(TensorList value);
  static Value Of(std::vector<Value> items);
  static Value OfVariable(int32_t index);
  static Value Host(std::optional<Shape> shape = std::nullopt);
  // Makes a value without elements; it is known to be so when the shape is that
  // of a static tensor.
  static Value Empty(Shape shape);

 private:
  template <typename T>
  const T& Held() const {
    static const T null;
    const T* held = std::get_if<T>(&held_);
    return held == nullptr ? null : *held;
  }
  // One at most: a large graph has a value for each node.
  std::variant<std::monostate, Known, List, Items, Stated> held_;
};

// The shape of a value other than a variable; nullopt when it is not known.
std::optional<Shape> ShapeOf(const GraphBuilder& builder, const Value& value);

// Whether some dim has size 0: such a tensor cannot be in a graph.
bool HasNoElements(const Shape& shape);

}  // namespace tilewise
