// Programs of one or a few kernels, built by hand.

#pragma once

#include <cstdint>
#include <random>

#include "hardware/chip.h"
#include "sim/lowering/program.h"

namespace tilewise {

// [m,k] x [k,n] of 2-byte elements as one kernel whose windows are m x k x n
// blocks that fit the chip's budget.
Program MatmulProgram(int64_t m, int64_t k, int64_t n, const Chip& chip);

// Up to 12 kernels of any kind with sizes over many orders of magnitude.
Program RandomProgram(uint32_t seed);

}  // namespace tilewise
