// Functions that a call may run whose callee the code around it takes from a
// table: an entry of a dict, an item of a list in a loop, one drawn at random, a
// parameter of a function that is made in a loop.

#pragma once

#include <vector>

#include "python/interpreter.h"

namespace tilewise::program {

struct TableCall {
  std::vector<py::Value> functions;
  bool each = false;  // they run one after the other; otherwise one of them does
};

// `self`: of a method, or null. No functions: it is none of such a table, or not known.
TableCall FunctionsOfTable(const py::Node* callee, const py::Function& function,
                           const py::Value* self);

// The value of a name of the function's surroundings; null: it has none.
const py::Value* OuterValue(const py::Node* name, const py::Function& function);

// The value of a name or of a chain of attributes, as far as they are those of modules or of
// `self`; null: it is not known.
const py::Value* ValueAt(const py::Node* node, const py::Function& function, const py::Value* self);

}  // namespace tilewise::program
