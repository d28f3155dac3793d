// What a compiled step takes and returns: which arguments it could be written
// over, and what it returns besides its state.

#pragma once

#include <vector>

#include "rules/rule.h"

namespace tilewise {

struct StepResults {
  // Arguments that are kept although a result of their shape is returned.
  std::vector<OpId> kept;
  // Results that are neither written over an argument nor of the shape of one.
  std::vector<OpId> other;
};

// Returns the results of a step that is a function of a compiler; each argument
// and result is in one pair at most, in order. Facts::source must not be null.
StepResults ResultsOf(const Facts& facts);

// Unpadded bytes of all of them, and which has most; kNoOp: there are none.
struct TotalBytes {
  Bytes total;
  OpId largest = kNoOp;
};
TotalBytes TotalOf(const Facts& facts, const std::vector<OpId>& ops);

}  // namespace tilewise
