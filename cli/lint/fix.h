// --fix and --diff over the programs of a run.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/lint/options.h"
#include "cli/lint/run.h"

namespace tilewise {

struct FixSummary {
  int64_t fixed = 0;
  std::string diff;                   // with --diff: nothing was written
  std::string standard_input;         // its text afterwards
  std::vector<std::string> refused;   // what was made and taken back, and why
  std::vector<std::string> failures;  // files that could not be written
};

// Applies the fixes of each program and leaves in `run` what remains. With
// --diff the programs stay as they are.
FixSummary FixPrograms(const LintOptions& options, LintRun& run);

}  // namespace tilewise
