// Merges kernels that read the same values into one with several results.

#pragma once

#include "sim/lowering/fusion/kernel_graph.h"

namespace tilewise {

// A reduce joins the kernel that makes what it reduces; kernels that share
// their largest input and loop over the same elements become one. Merges only
// where no path between the two leads through a third kernel.
void MergeMultiOutput(const Program& program, FusionGroups& groups);

}  // namespace tilewise
