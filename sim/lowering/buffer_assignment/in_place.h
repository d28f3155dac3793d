// Results that are written over an operand.

#pragma once

#include "sim/lowering/program.h"

namespace tilewise {

// Sets Buffer::in_place_of. A kernel writes a result over an operand that it is
// the last to read when both take as many bytes and each element of the result
// needs only the same element of the operand: elementwise chains, what is added
// to the result of a matmul, sums over cores, and slices that are updated
// (XLA, HloDataflowAnalysis::CanShareOperandBufferWithUser). Not over arguments
// and results of the step, and not between values of which one is on-chip.
// Buffers must be ordered by value and then by time.
void ReuseDyingOperands(Program& program);

}  // namespace tilewise
