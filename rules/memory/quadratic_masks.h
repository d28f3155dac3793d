// Masks of T x T that a program makes as arrays: a triangle of ones.

#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"
#include "workload/source_facts.h"

namespace tilewise {

struct QuadraticMask {
  const SourceCall* call = nullptr;  // the outermost that makes the array
  int64_t side = 0;
  Bytes bytes;        // where it is used; of the host's own type before that
  bool sure = false;  // a triangle; else an array that is square alone
};

// Those of `least` on a side or more.
std::vector<QuadraticMask> QuadraticMasks(const SourceFacts& facts, int64_t least);

}  // namespace tilewise
