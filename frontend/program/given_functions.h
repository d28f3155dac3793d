// Functions that a call gives to parameters, as the code writes them; and how often a loop repeats
// the work of its body.

#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "python/interpreter.h"

namespace tilewise::program {

struct GivenFunction;
using GivenFunctions = std::map<py::Symbol, GivenFunction>;

struct GivenFunction {
  const py::Node* written = nullptr;            // a name, a lambda, partial(..)
  const py::Function* around = nullptr;         // whose body it stands in
  const py::Value* self = nullptr;              // of that; null: it is no method
  std::shared_ptr<const GivenFunctions> given;  // to that; null: nothing is
};

// The functions that `call` gives to parameters of `function`. `by`: what stands around the call,
// without `written`.
std::shared_ptr<const GivenFunctions> FunctionsGivenBy(const py::Node& call,
                                                       const py::Function& function, bool is_method,
                                                       const GivenFunction& by);
// Whether a function's body defines a function of that name.
bool Defines(const py::Function& function, py::Symbol name);
// What a function's body binds a name to, where it does so once; null: it does not.
const py::Node* BoundOnce(const py::Function& function, py::Symbol name);
// Whether a loop's body does the same for all values of its variable: it takes no part of anything
// by it.
bool RepeatsItsWork(const py::Node* variable, const py::Node* body);

}  // namespace tilewise::program
