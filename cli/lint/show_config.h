// `lint --show-config`: the settings as a configuration that reads back, each
// with the place that it comes from.

#pragma once

#include <string>

#include "base/status.h"
#include "cli/lint/options.h"

namespace tilewise {

// YAML for the first file of `options`. Errors: rules that do not exist.
absl::StatusOr<std::string> ConfigText(const LintOptions& options);

// Prints it. The exit code, or why it cannot be written.
absl::StatusOr<int> ShowConfig(const LintOptions& options);

}  // namespace tilewise
