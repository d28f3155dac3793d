// (Program, Pipeline, HostLoop, Target) -> Timeline, event by event.

#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "hardware/target.h"
#include "pipeline/host_loop.h"
#include "pipeline/pipeline.h"
#include "sim/lowering/program.h"
#include "sim/timeline.h"

namespace tilewise {

// One step on the device. Never below the estimate, never above peak rates.
Timeline SimulateStep(const Program& program, const Target& target);

// The host loop around the step. `pipeline` may be null (data already on the
// host as arrays: one copy per batch); `examples` is the size of an epoch when
// known.
struct LoopInput {
  const Timeline* step = nullptr;
  const Pipeline* pipeline = nullptr;
  Framework framework = Framework::kKeras;
  int64_t global_batch = 1;
  int64_t steps_per_execution = 1;
  std::optional<int64_t> examples_per_epoch;
  std::optional<int64_t> steps_per_epoch;
  Bytes bytes_per_example;  // that cross to the device
  // Part of them that the host expands from class numbers before it sends them.
  Bytes one_hot_bytes_per_example;
};
LoopTimeline SimulateLoop(const LoopInput& input, const Target& target);

}  // namespace tilewise
