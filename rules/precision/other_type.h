// The change that brings all values of one type into another.

#pragma once

#include "session/change.h"

namespace tilewise {

// Every value of type `from`, inputs, variables and results too, is `to`; but
// not variables that the graph writes. Empty where an op works on the bits of
// such values.
Change InOtherType(const Graph& graph, DType from, DType to);

}  // namespace tilewise
