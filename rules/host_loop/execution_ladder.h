// How many steps one execution should run, by the simulated loop.

#pragma once

#include <cstdint>
#include <optional>

#include "rules/rule.h"

namespace tilewise {

struct ExecutionChoice {
  int64_t steps = 1;
  LoopTimeline loop;  // at `steps`
};

// Full steps of an epoch, when the number of examples or steps is known.
std::optional<int64_t> FullStepsPerEpoch(const Facts& facts);

// The smallest number of steps per execution that leaves less than 2 % of the
// step to dispatch and keeps an execution within about a second; a divisor of
// the epoch where one is near. None when one step takes longer than a second
// or no larger number helps. Needs a model.
std::optional<ExecutionChoice> ChooseSteps(const Facts& facts);

// Whether a Keras loop on a TPU strategy runs compiled steps from compile().
bool RunsKerasSteps(const Facts& facts);

}  // namespace tilewise
