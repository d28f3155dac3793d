// Arguments that are in on-chip memory before the program starts.

#pragma once

#include "sim/lowering/program.h"

namespace tilewise {

// A compiler may copy an argument into the second on-chip memory ahead of the
// program, while earlier work runs (cross-program prefetch). For a program of
// one matrix kernel that is the largest argument that has room, of equals the
// matmul's first operand, as the published float16 matmuls of tpu-v4-odd-gemm
// show; the copy is not part of the kernel's time. kNoOp where there is none:
// in programs of several kernels, whose steps follow each other in a loop,
// arguments stay in HBM.
OpId PrefetchedArgument(const Program& program, const Chip& chip);

}  // namespace tilewise
