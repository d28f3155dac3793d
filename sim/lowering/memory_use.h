// What the HBM of one core holds at the peak of a step.

#pragma once

#include <array>
#include <optional>

#include "hardware/chip.h"
#include "sim/lowering/program.h"

namespace tilewise {

inline constexpr size_t kBufferUseCount = static_cast<size_t>(BufferUse::kTemporary) + 1;

struct MemoryUse {
  Bytes nameplate;
  Bytes reserved;                             // by the runtime
  std::array<Bytes, kBufferUseCount> by_use;  // padded, by BufferUse
  Bytes padding;                              // part of these
  // What an allocator needs on top of the peak because the offsets of buffers
  // are fixed for the whole step; unset when there are too many to tell.
  std::optional<Bytes> fragmentation;

  Bytes of(BufferUse use) const { return by_use[static_cast<size_t>(use)]; }
};

MemoryUse MemoryUseAtPeak(const Program& program, const Chip& chip);

// Bytes from the first to the last offset when each buffer that is ever in HBM
// gets an offset of its own for its live range: the largest first, each into
// the smallest gap that holds it, as XLA's heap simulator places them (global
// decreasing size, best fit). Buffers in place of each
// other have one. Unset for more than 8192.
std::optional<Bytes> PackedSize(const std::vector<Buffer>& buffers);

}  // namespace tilewise
