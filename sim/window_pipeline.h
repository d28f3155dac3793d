// The loop inside one kernel: windows of operands come in, are worked on, and
// windows of the result go out.

#pragma once

#include <cstdint>

#include "base/units.h"

namespace tilewise {

struct WindowLoop {
  int64_t steps = 1;
  bool double_buffered = true;
  Seconds load;        // HBM -> VMEM of one step
  Seconds first_load;  // of the first step; 0: as of any other
  Seconds compute;     // of one step
  Seconds store;       // VMEM -> HBM of one step
  Seconds last_store;  // of the last step; 0: as of any other
  Seconds latency;     // first byte of a transfer
  Seconds fill;        // first row in to first result out, once
  Seconds overhead;    // of each step after the first
  double mixing = 1;   // times longer a transfer is while both directions run
};

// Returns the time from the start of the first load to the end of the last
// store. Loads and stores share one channel. It costs the same for any number
// of steps.
Seconds RunWindowLoop(const WindowLoop& loop);

Seconds FirstLoad(const WindowLoop& loop);
Seconds LastStore(const WindowLoop& loop);

// Returns how much of the whole the channel is busy.
Seconds ChannelTime(const WindowLoop& loop);

}  // namespace tilewise
