// `estimate`: the closed-form lower bound alone.

#pragma once

#include "base/status.h"
#include "cli/options/arguments.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"

namespace tilewise {

struct EstimateOptions {
  ModelOptions model;
  OutputOptions output;
};

void Add(Arguments& arguments, EstimateOptions& options);

absl::StatusOr<int> RunEstimate(const EstimateOptions& options);

}  // namespace tilewise
