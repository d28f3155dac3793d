// The loop around the step.

#pragma once

#include <cstdint>

#include "cli/options/arguments.h"

namespace tilewise {

// Zero: as the files say.
struct LoopOptions {
  int64_t steps_per_execution = 0;
  int64_t steps_per_epoch = 0;
  int64_t examples = 0;
};

void Add(Arguments& arguments, LoopOptions& options);

}  // namespace tilewise
