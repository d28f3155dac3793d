// Values in a function that are a few numbers beside the element: sizes, offsets, labels, and what
// is computed of them alone.

#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "python/interpreter.h"

namespace tilewise::program {

bool IsFewNumbers(const py::Value& value);

class SmallValues {
 public:
  // The full name of what a library has, as a function or a type; "" of anything else.
  using NameOf = std::function<std::string(const py::Node* callee)>;
  // Whether a name of the surroundings, or an attribute of the object, is one or a few numbers.
  using IsNumber = std::function<bool(const py::Node*)>;
  SmallValues(NameOf name_of, IsNumber is_number)
      : name_of_(std::move(name_of)), is_number_(std::move(is_number)) {}

  bool Holds(const py::Node* expression) const;
  // Makes the names of a target small, or not.
  void Bind(const py::Node* target, bool small);
  // The same of parameters that a call gives few numbers, or leaves at their defaults.
  void BindParameters(const py::Function& function, bool is_method, const py::Node& call,
                      const SmallValues& of_caller);
  // The same of the first parameter: the number of an item.
  void BindFirst(const py::Function& function, bool is_method);

 private:
  void Bind(py::Symbol name, bool small);
  bool HoldsCall(const py::Node* call) const;
  bool HoldsAll(const std::vector<py::Node*>& list) const;

  NameOf name_of_;
  IsNumber is_number_;
  std::set<py::Symbol> names_;
  mutable int64_t steps_ = 0;  // of all walks: long expressions are walked part by part
};

}  // namespace tilewise::program
