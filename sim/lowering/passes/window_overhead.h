// Fixed cost of one more step of a kernel's grid.

#pragma once

#include "hardware/chip.h"

namespace tilewise {

// About 750 cycles per window in a compiler's own estimate (tpu-hardware 4.4).
inline Seconds WindowOverhead(const Chip& chip) {
  return {750.0 / chip.clock_hz};
}

}  // namespace tilewise
