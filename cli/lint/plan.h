// Which programs a run of `lint` is about.
//
// Files that a folder's walk finds are a program each. Files that the user
// names are one program where they complete each other: one model, one script
// or notebook, one configuration, one log. Two of one kind are programs of
// their own, as --separate says of all and --together of none. Files that the
// configuration declares as a workload are one program wherever they are met.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/lint/options.h"
#include "lint/config.h"
#include "lint/config_files.h"

namespace tilewise {

struct PlannedProgram {
  std::vector<std::string> files;  // as readers take them
  std::shared_ptr<const LintConfig> config;
  bool walked = false;  // found in a folder; the user did not name it
  // Its declaration in that configuration; null: none.
  const DeclaredWorkload* workload = nullptr;
};

struct LintPlan {
  std::vector<PlannedProgram> programs;
  std::map<std::string, std::string> texts;  // of standard input
  std::vector<std::string> failures;         // arguments that are not there
  std::vector<std::string> warnings;         // folders without anything to lint
  std::vector<std::string> folders;          // to watch
  std::vector<std::string> walked;           // arguments that are folders
};

// Whether a walked file that cannot be read is none of a run's business: text of a
// kind that has many uses (scripts, settings, JSON, logs), or a container of
// arrays, without a word of a framework in it. It is no failure then.
bool MayBeNoProgram(const std::string& path);

// Errors: configurations that cannot be read; standard input twice.
absl::StatusOr<LintPlan> PlanLint(const LintOptions& options, ConfigFiles& configs);

}  // namespace tilewise
