// The best of what was tried.

#pragma once

#include <span>

#include "tuner/evaluate.h"
#include "tuner/space.h"
#include "tuner/tuner.h"

namespace tilewise {

// Fills in what a tuning says of its trials: the best, the gamble, the curve of
// its setting, the contenders.
absl::Status Choose(const Space& space, std::vector<Trial> trials, Tuning& tuning);

}  // namespace tilewise
