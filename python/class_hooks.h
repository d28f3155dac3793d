// What base classes do when a class is made from them.

#pragma once

#include <utility>
#include <vector>

#include "python/interpreter.h"

namespace tilewise::py {

// Calls `__init_subclass__` and the like of the bases, with the class whole; gives the class, or
// what a hook gives for it.
Value CallClassHooks(Interpreter& in, Class& type,
                     const std::vector<std::pair<Symbol, Value>>& keywords, const Node* at);

}  // namespace tilewise::py
