// Pass place_buffers: which values take HBM, which stay on-chip, from when to
// when, and the peak of one core.

#include "sim/lowering/buffer_assignment/live_ranges.h"
#include "sim/lowering/passes.h"

namespace tilewise {

absl::Status RunPlaceBuffers(Program& program, const LoweringContext& context) {
  AssignBuffers(program, context.target.chip, context.options.xla_flags);
  return absl::OkStatus();
}

}  // namespace tilewise
