// The loop inside one kernel: windows of operands come in, are worked on, and
// windows of the result go out.

#pragma once

#include <cstdint>

#include "base/units.h"

namespace tilewise {

struct WindowLoop {
  int64_t steps = 1;
  bool double_buffered = true;
  Seconds load;     // HBM -> VMEM of one step
  Seconds compute;  // of one step
  Seconds store;    // VMEM -> HBM of one step
  Seconds latency;  // first byte of a transfer
  Seconds fill;     // first row in to first result out, once
};

// From the start of the first load to the end of the last store. Loads and
// stores share one channel. Costs the same for any number of steps.
Seconds RunWindowLoop(const WindowLoop& loop);

}  // namespace tilewise
