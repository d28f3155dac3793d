// The program of a step that a compiler for TPUs has already lowered.

#pragma once

#include "base/status.h"
#include "graph/compilation.h"
#include "sim/lowering/program.h"

namespace tilewise {

// Takes layouts and kernels from the dump instead of choosing them: fills
// program.layouts and program.kernels (ops only) as `fuse` leaves them.
// program.graph is the static graph that `compilation` is about. Layouts that
// the dump does not state are the chip's standard ones. Errors: vectors that
// are not one per op, a layout that does not fit its shape, kernels whose ops
// are not next to each other.
absl::Status AdoptCompilation(const Compilation& compilation, const Chip& chip, Program& program);

}  // namespace tilewise
