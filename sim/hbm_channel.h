// One pseudo-channel of HBM, burst by burst: the reference that
// hardware/hbm.h's HbmEfficiency is reduced from. Too slow to run inside a
// simulation; a test holds the two against each other.

#pragma once

#include <cstdint>
#include <span>

#include "base/units.h"
#include "hardware/hbm.h"

namespace tilewise {

// One burst on its way to a bank.
struct HbmAccess {
  int64_t bank = 0;
  int64_t row = 0;
  bool is_write = false;
};

// What the reduced form leaves out. Defaults: gem5's HBM_2000_4H_1x64.
struct HbmDetail {
  int64_t bank_groups = 4;         // bank b is in group b modulo this
  double bursts_within_group = 2;  // spacing of two in one group, in bursts
  Seconds read_to_precharge{5e-9};
  Seconds write_to_precharge{18e-9};  // write latency and recovery
  int64_t queue = 128;                // accesses that the scheduler sees at a time
};

// Returns the time from the first access to the end of the last. They reach the
// queue in order and leave it first-ready: hits on open rows before others,
// older before younger, `hbm.batch` bursts in one direction while the other
// waits. It models activates (tRCD, tRP, tRAS, tRRD, tFAW), bank groups,
// turnarounds and refresh of all banks; not the command bus.
Seconds RunHbmChannel(const HbmChannels& hbm, const HbmDetail& detail,
                      std::span<const HbmAccess> accesses);

}  // namespace tilewise
