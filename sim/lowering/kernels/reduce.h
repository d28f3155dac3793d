// What a reduction costs the vector unit, by which dims its layout reduces.

#pragma once

#include <cstdint>
#include <vector>

#include "sim/lowering/program.h"

namespace tilewise {

// One vector instruction per register to accumulate; what is left is reduced
// over sublanes by rotate-and-combine steps, and over lanes by the much more
// expensive cross-lane unit (tpu-lowering 5, tpu-hardware 3.3).
VectorWork ReduceWork(const Shape& operand, const Layout& layout,
                      const std::vector<int64_t>& reduced, const Chip& chip);

// Instructions for one of a reduction's when the index of the winner is kept
// too: compare, keep the value, keep the index.
inline constexpr double kKeepingIndex = 3;

}  // namespace tilewise
