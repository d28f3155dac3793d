// All programs of a run, linted at once.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/lint/options.h"
#include "cli/lint/plan.h"
#include "hardware/target.h"
#include "lint/baseline.h"
#include "lint/linted_program.h"

namespace tilewise {

// One program of the plan and what became of it.
struct ProgramRun {
  LintOptions options;                   // of this program
  std::shared_ptr<const Target> target;  // that they name
  std::optional<LintedProgram> linted;
  std::string failure;                 // why it could not be
  int64_t baselined = 0;               // findings that the baseline knows
  std::set<std::string> used_entries;  // fingerprints of those
};

struct LintRun {
  LintPlan plan;
  std::vector<ProgramRun> programs;  // as in the plan
  std::optional<Baseline> baseline;  // known findings
};

// Lints the plan's programs, on several threads and through the cache.
// Programs that fail leave a message, the others are linted all the same.
// Errors: settings or a baseline that no program can be linted with.
absl::StatusOr<LintRun> RunPlan(LintPlan plan, const LintOptions& options);

// The text of every failure of the run, arguments that are not there included.
std::vector<std::string> FailuresOf(const LintRun& run);

}  // namespace tilewise
