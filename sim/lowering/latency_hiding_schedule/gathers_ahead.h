// Moves asynchronous gathers ahead of their use.

#pragma once

#include "sim/lowering/program.h"

namespace tilewise {

// Issues each overlappable all-gather so long before its first reader that the
// kernels between hide it, by a rough clock, but not before what it reads is
// there, and not so early that many of one mesh axis wait for their readers.
// The gathers stay in order, one on the links at a time.
void IssueGathersAhead(Program& program, const Target& target);

}  // namespace tilewise
