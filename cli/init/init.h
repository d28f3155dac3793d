// `init`: a configuration to start from.

#pragma once

#include <string>

#include "base/status.h"
#include "cli/options/arguments.h"

namespace tilewise {

struct InitOptions {
  std::string folder = ".";
  bool force = false;
  bool print = false;
};

void Add(Arguments& arguments, InitOptions& options);

absl::StatusOr<int> RunInit(const InitOptions& options);

}  // namespace tilewise
