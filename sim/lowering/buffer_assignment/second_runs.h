// Values of second runs that only a barrier keeps behind a gradient.

#pragma once

#include <vector>

#include "sim/lowering/program.h"

namespace tilewise {

// Returns for each op whether a second run of a layer that is written out makes it of weights, of
// what the forward pass keeps on the device and of other results of second runs alone, while what
// reads it waits for a gradient. Where the compiler drops barriers before it orders kernels
// (xla_tpu_aggressive_opt_barrier_removal), it is made ahead of the gradients and waits in memory.
std::vector<bool> FindHeldByBarriers(const Graph& graph);

// Whether layers send values to the host, all of which are written out.
bool OffloadsWrittenOutLayers(const Program& program);

}  // namespace tilewise
