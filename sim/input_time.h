// How fast an input pipeline delivers batches, and how much of that the device
// has to wait for.

#pragma once

#include <vector>

#include "base/units.h"
#include "hardware/host.h"
#include "pipeline/pipeline.h"
#include "sim/stage_cost.h"

namespace tilewise {

struct InputTime {
  Seconds ahead;    // per batch: the slowest part that works ahead
  Seconds in_line;  // per batch: what runs when the loop asks for a batch
  // This is per batch, on the loop's thread, where nothing is in line: taking what is ready from
  // the threads that made it.
  Seconds hand_over;
  Seconds slowest() const { return ahead > in_line ? ahead : in_line; }
};

// A pipeline falls into parts at its asynchronous stages. Inside a part the
// stages run one after another on one thread; parts run at the same time, on
// the host's cores, which are worth less when all are busy. What follows the last asynchronous
// stage is in line. A warm cache answers instead of all parts above it.
InputTime TimeInput(const std::vector<StageCost>& stages, const Pipeline& pipeline,
                    const Host& host, CacheState caches = CacheState::kWarm);

}  // namespace tilewise
