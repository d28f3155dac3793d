// How often a sort passes over its data in HBM.

#pragma once

#include "sim/lowering/program.h"

namespace tilewise {

// A bitonic network of 2^L elements has L phases; phase i ends with i stages of
// decreasing distance. Blocks of 2^B elements that fit the VMEM window budget
// are sorted in one pass; each later phase i passes once per stage that reaches
// beyond a block, and once for the rest. `bytes`: of all operands together.
double SortPasses(int64_t size, Bytes bytes, int64_t rows, const Chip& chip);

}  // namespace tilewise
