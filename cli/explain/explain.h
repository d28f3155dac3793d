// `explain`: what the documentation of a rule or note says.

#pragma once

#include <string>

#include "base/status.h"
#include "cli/options/arguments.h"
#include "cli/options/output_options.h"

namespace tilewise {

struct ExplainOptions {
  std::string rule;  // id or name
  OutputOptions output;
};

void Add(Arguments& arguments, ExplainOptions& options);

absl::StatusOr<int> RunExplain(const ExplainOptions& options);

}  // namespace tilewise
