// A model lowered and simulated at one batch size.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "estimator/estimate.h"
#include "hardware/target.h"
#include "sim/lowering/program.h"
#include "sim/timeline.h"

namespace tilewise {

struct Simulated {
  Program program;
  Timeline timeline;
  Estimate estimate;
  // Indices into program.kernels, ascending, by the op of the forward graph
  // they were made for.
  std::vector<std::vector<int32_t>> kernels_of;
  std::vector<KernelSpan> spans;  // by kernel

  std::span<const int32_t> KernelsOf(OpId source_op) const;
};
Simulated Simulate(Program program, const Target& target, int32_t source_ops);

}  // namespace tilewise
