// How many steps one execution should run, by the simulated loop.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rules/rule.h"

namespace tilewise {

struct ExecutionChoice {
  int64_t steps = 1;
  LoopTimeline loop;  // at `steps`
};

// The smallest rung of 2, 5, 10, 20, .. up to the steps of an epoch whose step
// is within 0.2 % of the best rung's, while an execution stays within about a
// second. The epoch need not be a multiple. None when two steps already take
// longer than that. Needs a model.
std::optional<ExecutionChoice> ChooseSteps(const Facts& facts);

// Whether a Keras loop on a TPU strategy runs compiled steps from compile().
bool RunsKerasSteps(const Facts& facts);

// The setting that gives another loop on TPUs its steps per execution
// ("steps_per_loop"), as its file names it; empty: there is none.
std::string SettingOfSteps(const Facts& facts);

}  // namespace tilewise
