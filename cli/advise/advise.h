// `advise`: lint, simulate and tune in one report.

#pragma once

#include "base/status.h"
#include "cli/options/arguments.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/rule_options.h"

namespace tilewise {

struct AdviseOptions {
  ModelOptions model;
  SearchOptions search;
  RuleOptions rules;
  OutputOptions output;
};

void Add(Arguments& arguments, AdviseOptions& options);

absl::StatusOr<int> RunAdvise(const AdviseOptions& options);

}  // namespace tilewise
