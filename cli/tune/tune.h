// `tune`: the search for the best batch alone.

#pragma once

#include "base/status.h"
#include "cli/options/arguments.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"

namespace tilewise {

struct TuneOptions {
  ModelOptions model;
  SearchOptions search;
  OutputOptions output;
};

void Add(Arguments& arguments, TuneOptions& options);

absl::StatusOr<int> RunTune(const TuneOptions& options);

}  // namespace tilewise
