// `inspect`: what is in each file, without a machine.

#pragma once

#include "base/status.h"
#include "cli/options/arguments.h"
#include "cli/options/config_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/training_options.h"

namespace tilewise {

struct InspectOptions {
  InputOptions inputs;
  ConfigOptions config;
  TrainingOptions training;
  bool explain_batch = false;
  OutputOptions output;
};

void Add(Arguments& arguments, InspectOptions& options);

absl::StatusOr<int> RunInspect(const InspectOptions& options);

}  // namespace tilewise
