// Reshapes that do nothing but split dims of their operand, or merge them.

#pragma once

#include <cstdint>
#include <vector>

#include "graph/shape.h"

namespace tilewise {

// For each of the dims `merged` the dims of `split` that it is made of, as the end of their row;
// empty when `split` is not `merged` with dims split.
std::vector<int64_t> EndsOfParts(const std::vector<Dim>& merged, const std::vector<Dim>& split);

}  // namespace tilewise
