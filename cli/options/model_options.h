// What every command takes that lowers a program for a machine.

#pragma once

#include "cli/options/arguments.h"
#include "cli/options/config_options.h"
#include "cli/options/input_options.h"
#include "cli/options/loop_options.h"
#include "cli/options/lowering_options.h"
#include "cli/options/target_options.h"
#include "cli/options/training_options.h"

namespace tilewise {

struct ModelOptions {
  InputOptions inputs;
  ConfigOptions config;
  TargetOptions target;
  TrainingOptions training;
  LoopOptions loop;
  LoweringOptions lowering;
};

// All but those of the lowering.
void Add(Arguments& arguments, ModelOptions& options);

}  // namespace tilewise
