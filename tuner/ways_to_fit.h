// What would make a step fit the HBM: changes tried one by one, and together
// when none is enough.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "session/session.h"

namespace tilewise {

struct FitTrial {
  std::string change;  // "full rematerialisation (--remat full)"
  int64_t batch_per_core = 0;
  Bytes hbm_peak, hbm_available;
  Seconds device_step;
  bool fits() const { return hbm_peak <= hbm_available; }
};

// Rematerialisation, bf16 activations (where matmuls have f32 operands),
// sharding of weights and of the update, and the largest part of the batch (a
// half, a quarter, ...) that fits, each lowered and simulated. Changes that are
// made already, or that the model does not take, are left out.
std::vector<FitTrial> WaysToFit(const Session& session);

}  // namespace tilewise
