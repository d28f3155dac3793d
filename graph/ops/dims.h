// Lists of dims, as attributes have them.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph/op_traits.h"

namespace tilewise {

// Kinds that have nothing else use these fields.
inline constexpr auto kDimsFields = FieldsOf<DimsAttrs, &DimsAttrs::dims>("dims");

inline bool HasDim(const std::vector<int64_t>& dims, int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

inline std::vector<int64_t> JoinedDims(std::vector<int64_t> a, const std::vector<int64_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// The dims below `rank` that are in neither list, ascending.
inline std::vector<int64_t> DimsInNeither(int64_t rank, const std::vector<int64_t>& a,
                                          const std::vector<int64_t>& b) {
  std::vector<int64_t> others;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (!HasDim(a, dim) && !HasDim(b, dim)) others.push_back(dim);
  }
  return others;
}

}  // namespace tilewise
