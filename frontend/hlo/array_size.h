// Sizes of array shapes, safe for any dims.

#pragma once

#include "frontend/hlo/module.h"

namespace tilewise::hlo {

// Elements of an array shape; 0 where a dim has no bound and for tuples.
int64_t ElementsOf(const HloShape& shape);

// Whether an array has more elements than any machine could hold, so that its
// bytes would overflow.
bool IsTooLarge(const HloShape& shape);

// Whether the layout says nothing: that of a scalar.
bool IsPlain(const HloLayout& layout);

}  // namespace tilewise::hlo
