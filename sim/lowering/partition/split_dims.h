// Which dim of an operand an op needs a part of to make a part of its result.

#pragma once

#include <cstdint>
#include <optional>

#include "graph/graph.h"

namespace tilewise {

inline constexpr int64_t kWhole = -1;  // in place of a dim: all of the value

inline std::optional<int64_t> DimUnless(bool excluded, int64_t dim) {
  return excluded ? std::nullopt : std::optional<int64_t>(dim);
}

// Returns the dim of which a core needs its part of an operand when each of
// `parts` cores makes its part of dim `result_dim`; kWhole when it needs the
// operand as it is. Nothing when a core would need more than its part, or when
// the sizes do not divide. It is not for matrix ops, nor for what is summed
// away.
std::optional<int64_t> OperandDim(const Graph& graph, const Op& op, size_t operand,
                                  int64_t result_dim, int64_t parts);

// The result dim that OperandDim maps to `dim` of that operand, if the op can
// work on parts of it.
std::optional<int64_t> ResultDim(const Graph& graph, const Op& op, size_t operand, int64_t dim,
                                 int64_t parts);

// The largest dim that `parts` divides, the first of equals; kWhole if there is
// none or the value has less than two dims.
int64_t LargestDim(const Shape& shape, int64_t parts);

}  // namespace tilewise
