// `validate`: the simulator against tables of measurements.

#pragma once

#include <string>
#include <vector>

#include "accuracy/predict.h"
#include "base/status.h"
#include "cli/options/arguments.h"
#include "cli/options/output_options.h"

namespace tilewise {

struct ValidateCommandOptions {
  std::vector<std::string> tables;  // none: those that come with tilewise
  Machine machine;                  // of rows that name none
  OutputOptions output;
};

void Add(Arguments& arguments, ValidateCommandOptions& options);

absl::StatusOr<int> RunValidate(const ValidateCommandOptions& options);

}  // namespace tilewise
