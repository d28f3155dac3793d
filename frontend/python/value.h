// What an expression of a Python script can be, as far as it is followed: a
// constant, a container, an array known by its shape, a dataset or a Keras
// object under construction, a function, a library name, or unknown with the
// reason. Reference values live in an Arena and are shared by pointer, as in
// Python.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/location.h"
#include "frontend/keras/keras_model.h"
#include "pipeline/pipeline.h"
#include "python/syntax.h"

namespace tilewise::python {

struct Unknown {
  // How its truth follows from that of other unknown values.
  enum class Relation : uint8_t { kNone, kNot, kAll, kAny, kEquals };
  std::string reason;  // "parameter `n` of make(), which is never called"
  Location location;   // of what is not known
  Relation relation = Relation::kNone;
  std::vector<const Unknown*> of;
  std::string constant;  // of kEquals: see ConstantText()
};
struct None {
  bool operator==(const None&) const = default;
};
struct Range {
  int64_t start = 0, stop = 0, step = 1;
  int64_t size() const;
  bool operator==(const Range&) const = default;
};
// A library name with import aliases resolved: "tensorflow.data.Dataset".
struct Path {
  std::string name;
  bool operator==(const Path&) const = default;
};
struct LayerRef {
  int32_t layer = -1;  // in Interpreter::keras
  bool operator==(const LayerRef&) const = default;
};

struct List;
struct Dict;
struct Array;
struct Dataset;
struct Model;
struct Object;
struct Function;
struct Class;
struct Method;

struct Value {
  std::variant<None, bool, int64_t, double, std::string, Range, Path, KerasTensor, LayerRef,
               const Unknown*, List*, Dict*, Array*, Dataset*, Model*, Object*, Function*, Class*,
               Method*>
      data;

  // The held T, or null. Reference types: the pointer itself.
  template <typename T>
  const T* as() const {
    return std::get_if<T>(&data);
  }
  template <typename T>
  T* ref() const {
    T* const* held = std::get_if<T*>(&data);
    return held == nullptr ? nullptr : *held;
  }
  const Unknown* unknown() const {
    const Unknown* const* held = std::get_if<const Unknown*>(&data);
    return held == nullptr ? nullptr : *held;
  }
  bool none() const { return as<None>() != nullptr; }
};

struct List {
  bool tuple = false;
  std::vector<Value> items;
  bool open = false;  // more items may follow than are known
};
struct Dict {
  std::vector<std::pair<Value, Value>> items;  // insertion order
  const Value* Find(std::string_view key) const;
};

// A numpy array or a tensor outside a model. Dims of -1 are not known.
struct Array {
  std::string dtype;  // "uint8"; empty: not known
  std::vector<int64_t> dims;
};

struct Dataset {
  Pipeline pipeline;
  Value element;         // arrays in the structure the dataset yields
  int batch_levels = 0;  // leading dims of `element` that batches added
  int continued = 0;     // datasets made from this one that are used
  Dataset* from = nullptr;
  bool reported = true;  // false inside functions of datasets
};

struct Model {
  enum class Kind : uint8_t { kSequential, kFunctional, kUnresolved };
  Kind kind = Kind::kUnresolved;
  std::string name;
  Location location;
  std::vector<Value> stack;                         // Sequential: layers, models, tensors
  std::vector<KerasTensor> inputs, outputs;         // Functional
  std::optional<std::vector<int64_t>> input_shape;  // from build(); no batch
  std::string unresolved;                           // why it cannot be costed
  Location gradients;                               // where its trainable variables are asked for
};

// Arguments of a call, evaluated.
struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> keyword;
  bool open = false;  // more were given by * or ** of what is not known
  // The argument at that position or of that name, or null.
  const Value* Get(size_t position, std::string_view name) const;
  const Value* Keyword(std::string_view name) const;
};

// An instance of a class: of a library (path), or of the script (type).
struct Object {
  std::string path;  // "tensorflow.keras.optimizers.Adam"
  const Class* type = nullptr;
  Arguments arguments;  // of the constructor
  std::map<std::string, Value> attributes;
  // Of the targets of assignments to attributes.
  std::map<std::string, std::pair<Location, Span>> places;
  const Class* base_of = nullptr;  // of super(): the class it stands in
  Location location;
};

class Environment;

struct Function {
  std::string name;  // empty for a lambda
  Node node;         // function_definition or lambda
  Environment* closure = nullptr;
  std::map<std::string, Value> defaults;
  Arguments bound;  // of functools.partial
  std::optional<Value> self;
  std::string library;           // partial of a library name: no node then
  const Class* owner = nullptr;  // the class whose method it is
  bool is_static = false;        // @staticmethod
  bool is_class = false;         // @classmethod
  bool is_property = false;      // @property
};

struct Class {
  std::string name;
  Node node;
  Value value;  // the class itself, for cls
  std::vector<Value> bases;
  std::map<std::string, Value> members;
  // The member, also of base classes of the script; null when absent.
  const Value* Find(const std::string& member, int depth = 0) const;
  // Whether a base, however far, is a library class whose last part is `base`.
  bool Extends(std::string_view base, int depth = 0) const;
};

// An attribute of a value that is not followed until it is called.
struct Method {
  Value self;
  std::string name;
};

// Owns reference values for the life of one reading; they may form cycles.
class Arena {
 public:
  template <typename T>
  T* New(T value) {
    auto owned = std::make_shared<T>(std::move(value));
    T* result = owned.get();
    owned_.push_back(std::move(owned));
    return result;
  }

 private:
  std::vector<std::shared_ptr<void>> owned_;
};

// Names of one function call or module, with those around it.
class Environment {
 public:
  explicit Environment(Environment* outer) : outer_(outer) {}
  const Value* Find(const std::string& name) const {
    for (const Environment* e = this; e != nullptr; e = e->outer_) {
      const auto found = e->names_.find(name);
      if (found != e->names_.end()) return &found->second;
    }
    return nullptr;
  }
  void Set(const std::string& name, Value value) {
    Environment* target = this;
    const auto global = globals_.find(name);
    if (global != globals_.end()) target = global->second;
    target->names_[name] = std::move(value);
  }
  // `global name` or `nonlocal name`.
  void Redirect(const std::string& name, bool to_module) {
    Environment* target = outer_;
    if (target == nullptr) return;
    while (target->outer_ != nullptr && (to_module || !target->names_.contains(name))) {
      target = target->outer_;
    }
    globals_[name] = target;
  }
  const std::map<std::string, Value>& names() const { return names_; }
  // Back to what names() was.
  void Restore(std::map<std::string, Value> names) { names_ = std::move(names); }

 private:
  Environment* outer_;
  std::map<std::string, Value> names_;
  std::map<std::string, Environment*> globals_;
};

// Numbers as Python sees them: bool counts as int.
std::optional<int64_t> AsInt(const Value& value);
std::optional<double> AsNumber(const Value& value);
// Whether the value is true; nothing when that cannot be told.
std::optional<bool> Truth(const Value& value);
// Items of a list or tuple, or null.
const std::vector<Value>* Items(const Value& value);
// The last part of a dotted name.
std::string_view LastPart(std::string_view dotted);
// "list", "dataset", for messages.
std::string_view TypeName(const Value& value);

}  // namespace tilewise::python
