// The options as they are for one file: flags over TILEWISE_* variables over
// the nearest configuration over what that extends over defaults.

#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "cli/options.h"
#include "lint/config.h"
#include "lint/config_files.h"
#include "lint/config_rules.h"

namespace tilewise {

// `given` as it is for files of `config`, and for a workload that it declares
// (null: none). `files` stay those of `given`; the run-wide settings (format,
// output, cache, jobs, baseline, fixes) are to be taken from `given` all the
// same. Errors: values that no option takes, with the place they come from.
absl::StatusOr<Options> OptionsFor(const Options& given,
                                   std::shared_ptr<const LintConfig> config,
                                   const DeclaredWorkload* workload = nullptr);

// Where configurations are looked for: --config, --no-config.
ConfigChoice ConfigChoiceOf(const Options& options);

// The rules for `file` ("": for none in particular). Errors: those of RulesFor.
absl::StatusOr<RuleConfig> RulesOf(const Options& options,
                                   const std::string& file);

// What flags and variables say of rules.
RuleOverrides RuleOverridesOf(const Options& options);

}  // namespace tilewise
