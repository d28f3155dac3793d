// What an output of a node is while the graph is built.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "library/known_value.h"

namespace tilewise::tf {

// A TensorArray, TensorList or Stack: tensors of one shape, in the graph as one
// tensor [length, element..]. It travels as a value: in the handle of a
// TensorList, in the flow of a TensorArray.
struct TensorList {
  DType dtype = DType::kF32;
  std::optional<std::vector<Dim>> element;  // until known, no element is there
  std::optional<int64_t> length;
  OpId stacked = kNoOp;  // [length, element..]; kNoOp: all zeros so far
  // Of a list used as a stack: what was pushed last, by the loop that pushes.
  OpId pushed = kNoOp;
};

struct Value {
  enum class Kind : uint8_t {
    kNone,      // nothing: a control output, or what could not be read
    kOp,        // an op of the graph
    kKnown,     // numbers known while reading; made an op when asked for
    kResource,  // a variable (its handle, or a reference to it)
    kList,      // a list of tensors
    kHost,      // strings, datasets, iterators, tables: never on the device
  };
  Kind kind = Kind::kNone;
  OpId op = kNoOp;        // kOp; kKnown: once it was made one
  int32_t resource = -1;  // kResource: index of the variable

  using Known = std::shared_ptr<const KnownValue>;
  using List = std::shared_ptr<const TensorList>;
  using HostDims = std::shared_ptr<const std::vector<Dim>>;
  // Each null in values of other kinds. The last: the shape of a tensor of
  // strings, where known.
  const Known& known() const { return Held<Known>(); }
  const List& list() const { return Held<List>(); }
  const HostDims& host_dims() const { return Held<HostDims>(); }

  static Value Of(OpId op);  // kNone for kNoOp
  static Value Of(KnownValue value);
  static Value Of(TensorList value);
  static Value Resource(int32_t index);
  static Value Host(std::optional<std::vector<Dim>> dims = std::nullopt);

 private:
  template <typename T>
  const T& Held() const {
    static const T null;
    const T* held = std::get_if<T>(&held_);
    return held == nullptr ? null : *held;
  }
  // One at most: a large graph has a value for each node.
  std::variant<std::monostate, Known, List, HostDims> held_;
};

// A variable of the model. `variable` is made when it is first read.
struct VariableState {
  std::string name;
  std::optional<Shape> shape;  // nullopt: the file does not say
  bool trainable = true;
  OpId variable = kNoOp;
  OpId updated = kNoOp;  // its value after the step, when that changes it
  std::string device;    // that the file has it on; may be empty
};

}  // namespace tilewise::tf
