// What the user wrote that meant nothing in a run: most often a slip of the
// pen, so it is said. It changes neither findings nor exit code.

#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/lint/run.h"

namespace tilewise {

// One line each, with where it was written (flag, variable, file:line:column):
// words of `fixed-dims` that mean no dim of any model; entries of `per-path`
// that mean no file of a run that saw all they could mean; severities and
// thresholds of rules that do not run. Of what a configuration extends only the
// first is asked: it is written for other projects too. Errors: those of
// RulesFor.
absl::StatusOr<std::vector<std::string>> UnmatchedSettings(const LintRun& run);

}  // namespace tilewise
