// A run of `lint` over the programs of a plan: what it takes in, and its steps in
// their order. Each has a source of its own but for LintProgram.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/lint/options.h"
#include "cli/lint/plan.h"
#include "edit/files.h"
#include "hardware/target.h"
#include "lint/baseline.h"
#include "lint/cache.h"
#include "lint/linted_program.h"
#include "report/report.h"

namespace tilewise {

// One program of the plan and what became of it.
struct ProgramRun {
  LintOptions options;                   // of this program
  std::shared_ptr<const Target> target;  // that they name
  std::optional<LintedProgram> linted;
  bool from_cache = false;
  std::string failure;                 // why it could not be
  std::string passed_over;             // the same, of what a walk leaves out
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

// One program: read, lowered, simulated, run through the rules; what remains
// after comments and configuration have had their say. `options`: those of the
// program, and the target that they name. `texts` stand for files. Findings
// have their fingerprints. Errors: the program cannot be read, or its settings
// make no sense.
absl::StatusOr<LintedProgram> LintProgram(const LintOptions& options, const Target& target,
                                          const FileTexts& texts);

// The cache of a run: --cache-dir, else beside the configuration. Null with
// --no-cache.
std::unique_ptr<ResultCache> OpenCache(const LintOptions& options);

// What the findings of a program depend on. `options`: those of one program.
// Nothing when its files cannot be read, or when they are no files (standard
// input). `now_ns`: nanoseconds since 1970.
std::optional<std::string> CacheKeyOf(const LintOptions& options, FileStates& files,
                                      int64_t now_ns);

// The text of every failure of the run, arguments that are not there included.
std::vector<std::string> FailuresOf(const LintRun& run);

// What the user wrote that meant nothing in a run: most often a slip of the
// pen, so it is said. It changes neither findings nor exit code. One line each,
// with where it was written (flag, variable, file:line:column): words of
// `fixed-dims` that mean no dim of any model; entries of `per-path` that mean
// no file of a run that saw all they could mean; severities and thresholds of
// rules that do not run; what a checkout's configuration cannot set. Of what a configuration
// extends only the first is asked: it is written for other projects too. Errors: those of RulesFor.
absl::StatusOr<std::vector<std::string>> UnmatchedSettings(const LintRun& run);

// Prepares edits before they are made or written: it finds those of a program that came from the
// cache anew, and puts those of C++ files into the style of their project. False: it could not be
// linted again.
bool PrepareFixes(const LintRun& all, ProgramRun& run);

// The bytes of the program's files that are texts with findings.
FileTexts TextsOf(const ProgramRun& run, const LintPlan& plan);

// Writes the edits that --fix would make first into the file that --export-fixes names, for
// clang-apply-replacements. Errors: it cannot be written.
absl::Status ExportFixes(const LintOptions& options, LintRun& run);

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

// One report of the programs that could be linted. Findings of several programs
// are in one order: the largest saving first, then the largest cost, then by
// place. Errors: rules of the configuration that do not exist.
absl::StatusOr<Report> ReportOf(const LintRun& run, const LintOptions& options);

}  // namespace tilewise
