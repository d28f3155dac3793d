// Python's own functions and the methods of str, list and dict.

#pragma once

#include <optional>

#include "frontend/python/value.h"

namespace tilewise::python {

class Interpreter;
struct Call;

// len, range, zip, int, functools.partial, math.ceil...
std::optional<Value> CallBuiltin(Interpreter& in, const Call& call);
std::optional<Value> CallContainerMethod(Interpreter& in, const Call& call);

}  // namespace tilewise::python
