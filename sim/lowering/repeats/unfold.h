// Puts the layers that were left out back into a lowered program.

#pragma once

#include "sim/lowering/program.h"
#include "sim/lowering/repeats/fold.h"

namespace tilewise {

// `program` is `folded.graph` lowered up to the windows of its kernels, before
// buffers and order. Returns the program that lowering `whole` would have
// given, with copies of the typical layer's ops and kernels for the layers left
// out, in all phases of the step. Fails when the layers around the typical one
// were not lowered alike; the message says where they differ, and `whole` has
// to be lowered as it is.
absl::StatusOr<Program> UnfoldRepeats(const Program& program, const FoldedGraph& folded,
                                      const Graph& whole);

}  // namespace tilewise
