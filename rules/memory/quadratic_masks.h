// Masks of T x T that a program makes as arrays: a triangle of ones, or positions
// that are compared with each other.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "workload/source_facts.h"

namespace tilewise {

struct QuadraticMask {
  // The outermost that makes the array; of a comparison that is a statement of
  // its own, the call that makes the positions.
  const SourceCall* call = nullptr;
  Location location;
  std::string name;      // what the array is bound to; empty: to nothing
  int32_t context = -1;  // as of calls
  int64_t side = 0;
  Bytes bytes;        // where it is used; of the host's own type before that
  bool sure = false;  // a triangle; else an array that is square alone
};

// Returns those of `least` on a side or more.
std::vector<QuadraticMask> QuadraticMasks(const SourceFacts& facts, int64_t least);

}  // namespace tilewise
