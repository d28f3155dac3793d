// `simulate`: one point, simulated.

#pragma once

#include <string>

#include "base/status.h"
#include "cli/options/arguments.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"

namespace tilewise {

struct SimulateOptions {
  ModelOptions model;
  // A bare systolic array instead of the chip: "128x128"; empty: none.
  std::string array;
  std::string dataflow = "ws";  // ws, os or is
  OutputOptions output;
  std::string trace;  // file for the trace of the step; empty: none
};

void Add(Arguments& arguments, SimulateOptions& options);

absl::StatusOr<int> RunSimulate(const SimulateOptions& options);

}  // namespace tilewise
