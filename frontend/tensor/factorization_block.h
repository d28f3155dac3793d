// Sizes of XLA's expanders.

#pragma once

#include <cstdint>

namespace tilewise {

// Columns of a block, and how f32 is multiplied (PrecisionConfig::HIGHEST).
inline constexpr int64_t kFactorBlock = 128;
inline constexpr int64_t kFactorPasses = 6;
// Blocks are written out: more are not taken.
inline constexpr int64_t kMostFactorBlocks = 128;

}  // namespace tilewise
