// How many steps one execution should run, by the simulated loop.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rules/rule.h"

namespace tilewise {

// Times are those that savings are told in: wall time per step, the mean of the
// whole run.
struct ExecutionChoice {
  int64_t steps = 1;
  Seconds step;  // with `steps` per execution
  Seconds now;   // with the present number
  Seconds saved() const { return now - step; }
};

// The smallest rung of 2, 5, 10, 20, .. up to the steps of an epoch whose step
// is within 0.2 % of the best rung's, while an execution stays within about a
// second or still gains a percent; instead of `now` steps. The epoch need not be
// a multiple. None when no rung is, and without a model in a loop.
std::optional<ExecutionChoice> ChooseSteps(const Facts& facts, int64_t now);

// Chooses for a step that waits for its input, so that another number saves nothing yet: the
// smallest number with which dispatch would be a small part of it once the input keeps up. None
// where dispatch is that already, or nothing is waited for.
std::optional<ExecutionChoice> ChooseStepsOnceFed(const Facts& facts);

// Makes it the fix of `found`, and what it saves the cost.
void AddExecutionFix(const ExecutionChoice& choice, Finding& found);

// The class of a strategy that places no step on TPUs; empty: none, or a TPU's beside it.
std::string_view StrategyWithoutTpus(const Facts& facts);

// Whether a Keras loop on a TPU strategy runs compiled steps from compile().
bool RunsKerasSteps(const Facts& facts);

// Whether a tf.function of the program takes several steps in a loop whose place is known.
bool LoopsInFunction(const Facts& facts);

// The setting that gives another loop on TPUs its steps per execution
// ("steps_per_loop"), as its file names it; empty: there is none.
std::string SettingOfSteps(const Facts& facts);

}  // namespace tilewise
