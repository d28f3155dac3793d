// What the computations that instructions are given do: how a reduction joins
// two values, which way a sort orders.

#pragma once

#include <optional>

#include "frontend/hlo/module.h"

namespace tilewise::hlo {

// How `callee` joins values `result` of 2 x `values` parameters: those of the
// first half with those of the second. kOther: in no way that has a name.
Reducer JoinOf(const Module& module, const Computation& callee, size_t result = 0,
               size_t values = 1);

// Whether `callee` returns its parameter number `parameter`.
bool ReturnsParameter(const Module& module, const Computation& callee, int64_t parameter);

// kMax or kMin when `callee`, of parameters (value, index, value, index), picks
// the larger or smaller value and an index with it.
std::optional<Reducer> PicksExtreme(const Module& module, const Computation& callee);

// The operand that a sort's comparator looks at first, and its direction.
struct SortOrder {
  size_t key = 0;
  bool descending = false;
};
SortOrder OrderOf(const Module& module, const Computation& comparator, size_t operands);

// What leaves values as they are when joined with them: -inf for the maximum.
bool IsIdentity(Reducer reducer, DType dtype, double value);

}  // namespace tilewise::hlo
