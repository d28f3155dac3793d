// `lint`: findings only.

#pragma once

#include "base/status.h"
#include "cli/lint/options.h"

namespace tilewise {

absl::StatusOr<int> RunLint(const LintOptions& options);

}  // namespace tilewise
