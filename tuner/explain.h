// Says in words why a point was chosen and what a larger batch means.

#pragma once

#include <string>

#include "graph/training.h"
#include "tuner/tuner.h"

namespace tilewise {

std::string ExplainChoice(const Tuning& tuning);

// Learning-rate advice for going from `from` to `to` examples per step.
std::string ExplainLearningRate(int64_t from, int64_t to, const TrainingSpec& spec);

}  // namespace tilewise
