// Splat functions that several kinds have.

#pragma once

#include <algorithm>
#include <optional>

#include "graph/op_traits.h"

namespace tilewise {

// Moving equal elements about gives equal elements.
inline std::optional<double> MovedSplat(const SplatCall& call) {
  const double first = call.values[0];
  const bool equal = std::all_of(call.values.begin(), call.values.end(),
                                 [&](double value) { return value == first; });
  return equal ? std::optional<double>(first) : std::nullopt;
}

// Integer arithmetic wraps and divides in its own way, so only floats are
// computed.
template <auto kFunction>
std::optional<double> UnarySplat(const SplatCall& call) {
  if (!IsFloat(call.op.shape.dtype)) return std::nullopt;
  return kFunction(call.values[0]);
}

template <auto kFunction>
std::optional<double> BinarySplat(const SplatCall& call) {
  if (!IsFloat(call.op.shape.dtype)) return std::nullopt;
  return kFunction(call.values[0], call.values[1]);
}

}  // namespace tilewise
