// Remedies for a step that does not fit the HBM: changes that are tried one by
// one, and together when none is enough.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error_range.h"
#include "base/units.h"
#include "session/session.h"

namespace tilewise {

struct Remedy {
  std::string change;  // "full rematerialisation (--remat full)"
  int64_t batch_per_core = 0;
  Bytes hbm_peak, hbm_available;
  Seconds device_step;
  double certainty = 1;  // share of the published peaks of such models that would fit
  bool fits() const { return hbm_peak <= hbm_available; }
};

// Returns the remedies in the order of what they cost a user: a scheduler that tracks memory (loops
// over layers), the loss by tiles of the vocabulary, flash attention, bf16 activations (where
// matmuls have f32 operands), rematerialisation, accumulation of gradients, sharding of the update
// and of the weights, copies to the host, more cores for the same global batch, and the largest
// part of the batch (a half, a quarter, ...) that fits. Each is lowered and simulated. Changes that
// are made already, or that the model does not take, are left out. `memory_range`: see SearchSpace.
std::vector<Remedy> FindRemedies(const Session& session,
                                 const std::optional<ErrorRange>& memory_range);

}  // namespace tilewise
