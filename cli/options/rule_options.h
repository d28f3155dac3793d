// Which rules run, how severe they are, and what the process ends with.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "cli/options/arguments.h"
#include "lint/config_rules.h"

namespace tilewise {

struct RuleOptions {
  // What flags and variables say, over what the configuration says.
  RuleOverrides overrides;
  std::vector<std::string> fixed_dims;  // see lint/fixed_dims.h
  std::optional<Severity> fail_on;      // none: never
  int64_t max_warnings = -1;            // -1: any number
  bool exit_zero = false;
};

// `fail_on` is the default threshold, "never" included.
void Add(Arguments& arguments, const std::string& fail_on, RuleOptions& options);
// --max-warnings and --exit-zero.
void AddExit(Arguments& arguments, RuleOptions& options);

// The exit code that the findings call for.
int ExitCode(const std::vector<Diagnostic>& findings, const RuleOptions& options);

}  // namespace tilewise
