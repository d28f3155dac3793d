// Equality of values, as far as it can be told.

#pragma once

#include <optional>

#include "frontend/python/value.h"

namespace tilewise::python {

// Nothing when an operand is not known, or of a kind that is not compared.
std::optional<bool> Same(const Value& a, const Value& b);

}  // namespace tilewise::python
