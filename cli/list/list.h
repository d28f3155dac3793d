// `list`: what tilewise knows.

#pragma once

#include <string>

#include "base/status.h"
#include "cli/options/arguments.h"
#include "cli/options/output_options.h"

namespace tilewise {

struct ListOptions {
  std::string what;  // "rules"
  OutputOptions output;
};

void Add(Arguments& arguments, ListOptions& options);

absl::StatusOr<int> RunList(const ListOptions& options);

}  // namespace tilewise
