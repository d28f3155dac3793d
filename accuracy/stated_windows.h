// Windows that a measurement of a compiled kernel states, as XLA writes them:
// how many tiles of each operand and of the result a step of the kernel's grid
// takes (tpu-lowering 2.3).

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "sim/lowering/lower.h"
#include "workload/workload.h"

namespace tilewise {

// Tiles per dim, in the order in which the dims lie in memory, most major
// first; empty: not stated.
struct StatedWindows {
  std::vector<int64_t> kernel, output, input, iteration;
  bool any() const { return !kernel.empty() || !output.empty(); }
};

// "kernel=4,1 output=16,32 input= iteration=". Errors: another form, numbers
// below 1.
absl::StatusOr<StatedWindows> ParseStatedWindows(std::string_view text);

// The cuts of the one dot of a compiled graph; none when it has no dot or
// several, or no windows of its result are stated. Errors: windows of another
// rank than the result's.
absl::StatusOr<std::optional<MatmulCuts>> CutsOf(const StatedWindows& windows,
                                                 const Workload& workload);

// Gives the largest kernel of a program without matrix work the steps that the
// windows of its result make. Where windows do not divide the result, the last
// ones are worked on as if they were whole. Errors: as CutsOf.
absl::Status SetStatedWindows(const StatedWindows& windows, const Chip& chip, Program& program);

}  // namespace tilewise
