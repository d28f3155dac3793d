// The words for what limits a kernel.

#include "sim/timeline.h"

namespace tilewise {

std::string_view BoundName(Bound bound) {
  switch (bound) {
    case Bound::kMatrix:
      return "MXU";
    case Bound::kVector:
      return "vector";
    case Bound::kMemory:
      return "HBM";
    case Bound::kOverhead:
      return "overhead";
    case Bound::kCollective:
      return "collective";
    case Bound::kLatency:
      return "latency";
    case Bound::kHostLink:
      return "host link";
  }
  return "unknown";
}

}  // namespace tilewise
