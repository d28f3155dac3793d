// Shapes of a module as shapes of a graph.

#pragma once

#include <cstdint>
#include <vector>

#include "frontend/hlo/module.h"
#include "graph/shape.h"

namespace tilewise::hlo {

// These make the shape of an array. A dim without a bound, -k, is k times the
// batch.
Shape GraphShape(const HloShape& shape);
std::vector<Dim> GraphDims(const HloShape& shape);

// Whether `shape` is an array with a dim of size 0.
bool HasNoElements(const HloShape& shape);
// Whether nothing of `shape` is an array with elements.
bool HoldsNothing(const HloShape& shape);

// Elements of all arrays in it; dims without a bound count as 1. At most 2^62.
int64_t CountElements(const HloShape& shape);

// The dims that `shape` has from the slowest to the fastest in memory: as its
// layout says, else in order.
std::vector<int64_t> MajorToMinor(const HloShape& shape);

// Returns where each of `permutation` is: the permutation back.
std::vector<int64_t> InverseOf(const std::vector<int64_t>& permutation);

// Elements of an array shape; 0 where a dim has no bound and for tuples.
int64_t ElementsOf(const HloShape& shape);

// Whether an array has more elements than any machine could hold, so that its
// bytes would overflow.
bool IsTooLarge(const HloShape& shape);

// Whether the layout says nothing: that of a scalar.
bool IsPlain(const HloLayout& layout);

}  // namespace tilewise::hlo
