// `calibrate`: a chip's constants fitted to measurements.

#pragma once

#include <string>
#include <vector>

#include "accuracy/predict.h"
#include "base/status.h"
#include "cli/options/arguments.h"
#include "cli/options/output_options.h"

namespace tilewise {

struct CalibrateCommandOptions {
  std::vector<std::string> tables;
  std::vector<std::string> where;  // conditions on the rows to fit
  std::string only;                // first letters of constants to fit
  Machine machine;                 // its chip is the one that is fitted
  OutputOptions output;            // its path is for the chip
};

void Add(Arguments& arguments, CalibrateCommandOptions& options);

absl::StatusOr<int> RunCalibrate(const CalibrateCommandOptions& options);

}  // namespace tilewise
