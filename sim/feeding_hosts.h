// Machines that prepare and send batches, each for its share of the chips.

#pragma once

#include <cstdint>

#include "hardware/target.h"

namespace tilewise {

inline int64_t FeedingHosts(const HostRuntime& runtime, const Target& target) {
  return runtime.feeds_slice ? 1 : target.hosts();
}

}  // namespace tilewise
