// One program: read, lowered, simulated, run through the rules; what remains
// after comments and configuration have had their say.

#pragma once

#include <map>
#include <string>

#include "base/status.h"
#include "cli/lint/options.h"
#include "cli/lint/plan.h"
#include "hardware/target.h"
#include "lint/linted_program.h"

namespace tilewise {

// The options of the run as they are for this program, with its files.
absl::StatusOr<LintOptions> OptionsOf(const PlannedProgram& program, const LintOptions& run);

// `options`: those of OptionsOf, and the target that they name. `texts` stand
// for files. Findings have their fingerprints. Errors: the program cannot be
// read, or its settings make no sense.
absl::StatusOr<LintedProgram> LintProgram(const LintOptions& options, const Target& target,
                                          const std::map<std::string, std::string>& texts);

}  // namespace tilewise
