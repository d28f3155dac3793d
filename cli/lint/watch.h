// --watch: lints again whenever a file changes.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/lint/options.h"

namespace tilewise {

// One run; calls `planned` with the folders to watch before it reads the files.
using WatchedRun = std::function<absl::StatusOr<int>(
    const std::function<void(const std::vector<std::string>&)>& planned)>;

// Runs until the user stops it with Ctrl-C; then 0. What a run fails with is
// printed, and the next change tries again. Errors: the system cannot watch.
absl::StatusOr<int> WatchLint(const LintOptions& options, const WatchedRun& run);

}  // namespace tilewise
