// `completions`: scripts that complete commands and options.

#pragma once

#include <string>

#include "base/status.h"
#include "cli/options/arguments.h"

namespace tilewise {

struct CompletionsOptions {
  std::string shell;  // bash, zsh or fish
};

void Add(Arguments& arguments, CompletionsOptions& options);

absl::StatusOr<int> RunCompletions(const CompletionsOptions& options);

}  // namespace tilewise
