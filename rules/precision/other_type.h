// The change that brings all values of one type into another.

#pragma once

#include "rules/change.h"

namespace tilewise {

// Every value of type `from`, inputs and variables too, is `to`; results of the
// model are converted back. Empty where an op works on the bits of such values.
Change InOtherType(const Graph& graph, DType from, DType to);

}  // namespace tilewise
