// One function per command, each in its own file. They return the exit code,
// or the failure that main turns into a message and exit code 2.

#pragma once

#include "base/status.h"
#include "cli/options.h"

namespace tilewise {

absl::StatusOr<int> RunAdvise(const Options& options);
absl::StatusOr<int> RunLint(const Options& options);
absl::StatusOr<int> RunSimulate(const Options& options);
absl::StatusOr<int> RunEstimate(const Options& options);
absl::StatusOr<int> RunTune(const Options& options);
absl::StatusOr<int> RunValidate(const Options& options);
absl::StatusOr<int> RunCalibrate(const Options& options);
absl::StatusOr<int> RunInspect(const Options& options);
absl::StatusOr<int> RunExplain(const Options& options);
absl::StatusOr<int> RunInit(const Options& options);
absl::StatusOr<int> RunCompletions(const Options& options);
absl::StatusOr<int> RunList(const Options& options);

}  // namespace tilewise
