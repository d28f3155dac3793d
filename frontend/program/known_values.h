// Values in a function that are known before it runs: constants, names of its surroundings, and
// parameters that its call gives such.

#pragma once

#include <map>
#include <optional>

#include "python/interpreter.h"

namespace tilewise::program {

class KnownValues {
 public:
  // Null: the value of the expression is not known.
  const py::Value* Of(const py::Node* expression) const;
  // Whether a condition holds; nothing: that is not known.
  std::optional<bool> Holds(const py::Node* condition) const;

  // Takes what a call gives, in the function that is called. A partial gives some before, and comes
  // after what the call itself says; each may be null.
  void Enter(const py::Function& function, const py::Value* self, const py::Node* call,
             const py::Instance* partial);
  void Forget(const py::Node* target);  // what the function binds anew

 private:
  std::optional<bool> HoldsComparison(const py::Node* comparison) const;

  const py::Function* function_ = nullptr;
  const py::Value* self_ = nullptr;
  std::map<py::Symbol, const py::Value*> parameters_;  // null: not known
};

}  // namespace tilewise::program
