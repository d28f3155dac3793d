// Functions on numbers, of Python and of its math module.

#pragma once

#include <optional>

#include "frontend/python/value.h"

namespace tilewise::python {

class Interpreter;
struct Call;

// int, float, max, sum, math.ceil...; nothing for other functions and for
// operands that are not known.
std::optional<Value> CallNumberFunction(Interpreter& in, const Call& call);

}  // namespace tilewise::python
