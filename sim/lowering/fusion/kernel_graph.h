// The graph of kernels that a grouping of ops makes.

#pragma once

#include <cstdint>
#include <vector>

#include "sim/lowering/fusion/fusion_groups.h"

namespace tilewise {

struct KernelGraph {
  std::vector<std::vector<OpId>> ops;       // by group, ascending
  std::vector<std::vector<OpId>> inputs;    // values read from HBM, ascending
  std::vector<std::vector<int32_t>> needs;  // groups that make them, ascending
  std::vector<int32_t> order;               // topological, near definition order
};

KernelGraph ConnectKernels(const Program& program, const FusionGroups& groups);

// One kernel per group, in topological order, with names, kinds, inputs and
// outputs; their work is not filled.
std::vector<Kernel> MakeKernels(const Program& program, const Chip& chip,
                                const FusionGroups& groups);

}  // namespace tilewise
