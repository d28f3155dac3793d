// The options that make `lint` a linter: rules, baseline, files, fixes.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/limits.h"
#include "cli/options/arguments.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/rule_options.h"
#include "lint/config.h"

namespace tilewise {

struct BaselineOptions {
  std::string file;   // known findings; empty: none
  std::string write;  // where to write them; empty: nowhere
  bool prune = false;
  bool pass_on_stale = false;
};

struct WalkOptions {
  std::vector<std::string> exclude;  // globs, for walked folders
  bool respect_gitignore = true;
  std::optional<bool> together;  // all arguments are one program
  std::string stdin_filename;
  bool show_files = false;
};

struct CacheOptions {
  bool use = true;
  std::string folder;
};

struct FixOptions {
  bool fix = false;
  bool unsafe = false;
  bool only = false;
  bool diff = false;
  std::string export_file;  // where to write the edits as Clang's replacements; empty: nowhere

  bool any() const { return fix || only || diff; }
};

struct LintOptions {
  // Without files, the run lints the workloads that the configuration declares,
  // or the working directory.
  ModelOptions model;
  RuleOptions rules;
  bool show_config = false;
  BaselineOptions baseline;
  WalkOptions walk;
  CacheOptions cache;
  int64_t jobs = 0;  // 0: one per core
  bool watch = false;
  ProcessLimits limits;
  FixOptions fixes;
  bool statistics = false;
  OutputOptions output;

  const std::vector<std::string>& files() const { return model.inputs.files; }
  const LintConfig& config() const { return *model.config.found; }
};

void Add(Arguments& arguments, LintOptions& options);

// `given` as it is for files of `config`, and for a workload that it declares
// (null: none). The files stay those of `given`; what is one for the whole run
// (output, cache, jobs, baseline, fixes) is to be taken from `given` all the
// same. Errors: values that no option takes, with the location they come from.
absl::StatusOr<LintOptions> OptionsFor(const LintOptions& given,
                                       std::shared_ptr<const LintConfig> config,
                                       const DeclaredWorkload* workload);

// `lint --show-config`: prints the settings as a configuration that reads back,
// each with the location that it comes from. Errors: rules that do not exist.
absl::StatusOr<int> ShowConfig(const LintOptions& options);

}  // namespace tilewise
