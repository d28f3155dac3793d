// Closed-form time and memory of a Program: a lower bound of the simulation.

#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"
#include "hardware/target.h"
#include "sim/lowering/program.h"
#include "sim/lowering/xla_flags.h"

namespace tilewise {

struct KernelEstimate {
  Seconds compute;  // MXU at peak on the useful and padded work
  Seconds vector;
  Seconds memory;  // HBM at nameplate bandwidth
  Seconds total;   // the longest of them, at least the fixed overhead
};

struct Estimate {
  std::vector<KernelEstimate> kernels;  // as in Program::kernels
  Seconds step;
  double useful_flops = 0;  // per step and core
  Bytes hbm_traffic;
  Bytes hbm_peak;
};

Estimate EstimateProgram(const Program& program, const Target& target);

// What a step takes at least, as told before its kernels have an order and its values a place:
// lower bounds of the simulated step and of the HBM peak.
struct LeastNeeds {
  Seconds step;  // of its units and links, without the HBM
  Bytes hbm;     // arguments, and what loops over layers keep for their gradients
};
LeastNeeds LeastNeedsOf(const Program& program, const Repetitions& how_often, const Target& target,
                        const XlaFlags& flags = {});

}  // namespace tilewise
