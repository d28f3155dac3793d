// Sizes of XLA's expanders.

#pragma once

#include <bit>
#include <cstdint>

namespace tilewise {

// Columns of a block, and how f32 is multiplied (PrecisionConfig::HIGHEST).
inline constexpr int64_t kFactorBlock = 128;
inline constexpr int64_t kFactorPasses = 6;
// Blocks are written out: more are not taken.
inline constexpr int64_t kMostFactorBlocks = 128;

// Sweeps of rotations until matrices of n rows are diagonal. That is data;
// about log2(n) (Brent and Luk, 1985; Golub and Van Loan, "Matrix
// Computations", 8.5).
constexpr int64_t Sweeps(int64_t n) { return std::bit_width(static_cast<uint64_t>(n - 1)); }

}  // namespace tilewise
