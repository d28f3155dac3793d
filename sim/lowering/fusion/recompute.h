// Which values are worth computing again in every kernel that uses them,
// instead of writing them to HBM once.

#pragma once

#include <cstdint>
#include <vector>

#include "sim/lowering/program.h"

namespace tilewise {

// Constants, iotas, barriers, broadcasts but those that repeat large operands
// of some matmuls of a batch, and reshapes and transposes that move no byte:
// part of every kernel that uses them, never in HBM by themselves, unless an
// opaque op reads them from there.
bool IsVirtual(const Program& program, const Op& op, const Chip& chip);

// Writing such a value is dominated by overheads.
inline constexpr Bytes kSmallValue = {64 * 1024};

struct RecomputeFacts {
  std::vector<bool> is_virtual;  // by op
  std::vector<bool> is_output;   // leaves the step; bitcasts looked through
  std::vector<bool> is_fenced;   // before a barrier; bitcasts looked through
  // The value is the end of an elementwise chain on the result of a matrix op
  // that nothing else uses: it is best computed while that result is popped.
  std::vector<bool> is_epilogue;
  // A kernel may compute the value again, with little work, from `sources`:
  // values in HBM, or none where positions and constants are enough.
  std::vector<bool> may_repeat;
  std::vector<std::vector<OpId>> sources;
  std::vector<Bytes> padded;  // by op
};

RecomputeFacts FindRecomputable(const Program& program, const Chip& chip);

// Whether `users` kernels should each compute the value of `id` themselves.
bool ShouldRecompute(const RecomputeFacts& facts, OpId id, int64_t users);

}  // namespace tilewise
